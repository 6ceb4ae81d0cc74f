-- Reports and downloads tell how many begin before them as well (operations 14), so the table is no longer of imports alone.
alter table import_progress rename to job_progress;
alter table job_progress
  drop constraint import_progress_phase_check,
  add check (phase in ('waiting', 'reading', 'checking', 'storing'));
