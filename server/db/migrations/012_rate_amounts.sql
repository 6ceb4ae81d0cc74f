-- Room for an amount of 999,999,999,999 dollars beside a percentage of four decimals (constants 10).
alter table agent_rate alter column value type numeric(16, 4);
