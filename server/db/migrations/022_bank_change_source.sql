-- Where an entered account comes from; '' where a person typed it (agents 10).
alter table bank_change add column source text not null default '';
