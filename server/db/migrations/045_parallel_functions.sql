-- PostgreSQL reads with several processes only in a statement whose functions are all marked as safe for that,
-- which a function of our own is not by itself. The checklist of an open month, which reads all of its rows,
-- calls uri_component for the links of its findings.
alter function uri_component(text) parallel safe;
alter function month_number(date) parallel safe;
alter function passes_aba(text) parallel safe;
alter function counting_month() parallel safe;
alter function rate_month() parallel safe;
