-- The processor that an imported file is of, '' for kinds whose files are of none.
alter table import_batch rename column part to processor;
