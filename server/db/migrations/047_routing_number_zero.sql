-- Nine zeros pass the checksum and are nobody's routing number: a bank refuses a file with them (payouts 2).
create or replace function passes_aba(digits text) returns boolean language sql immutable parallel safe as $$
  select digits ~ '^\d{9}$' and digits <> '000000000'
    and (3 * (ascii(digits) + ascii(substr(digits, 4)) + ascii(substr(digits, 7)))
    + 7 * (ascii(substr(digits, 2)) + ascii(substr(digits, 5)) + ascii(substr(digits, 8)))
    + ascii(substr(digits, 3)) + ascii(substr(digits, 6)) + ascii(substr(digits, 9)) - 33 * 48) % 10 = 0
$$;
