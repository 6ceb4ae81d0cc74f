-- An undone batch stays in the history. `part` is what a file covers besides its date: the processor.
alter table import_batch
  add column part      text not null default '',
  add column undone_at timestamptz,
  add column undone_by text,
  add constraint import_batch_undone check ((undone_at is null) = (undone_by is null));
create index import_batch_same on import_batch (kind, sha256);

-- For the undo of a batch: the ids of the rows it added, as ranges, which are few because ids are sequential.
create table import_added (
  batchid   integer not null references import_batch on delete cascade,
  tablename text not null,
  ids       int8multirange not null,
  primary key (batchid, tablename)
);
-- For the undo: {"column": [before, after]} of the changed columns of a row, or all columns of a removed row.
create table import_change (
  batchid   integer not null references import_batch on delete cascade,
  tablename text not null,
  rowid     bigint not null,
  changed   jsonb,
  removed   jsonb,
  primary key (batchid, tablename, rowid),
  check ((changed is null) <> (removed is null))
);
create index audit_record on audit (entity, entityid, at);

-- The progress of running imports. Unlogged: it is not needed after a crash.
create unlogged table import_progress (
  job        uuid primary key,
  kind       text not null,
  userid     integer,
  phase      text not null check (phase in ('reading', 'checking', 'storing')),
  done       integer not null,
  total      integer,
  updated_at timestamptz not null default now()
);

-- Case numbers are unique for a processor only: two merchants may have the same one.
create table chargeback (
  id                bigint generated always as identity primary key,
  xmid              text not null,
  casenumber        text not null,
  dba               text not null default '',
  casetype          text not null default 'chargeback'
    check (casetype in ('retrieval', 'chargeback', 'pre-arbitration', 'representment')),
  cardbrand         text not null default '',
  cardlast4         text not null default '',
  arn               text not null default '',
  authcode          text not null default '',
  transactiondate   bigint,
  transactionamount numeric(14, 2) not null default 0,
  filedate          bigint not null,
  amount            numeric(14, 2) not null,
  reasoncode        text not null default '',
  reasondescription text not null default '',
  status            text not null default '',
  resolutionto      text not null default '',
  debitcredit       text not null default '',
  duedate           bigint,
  resolveddate      bigint,
  extra             jsonb,
  batchid           integer not null references import_batch
);
create unique index chargeback_key on chargeback (xmid, casenumber);
create index chargeback_case on chargeback (casenumber);
create index chargeback_filed on chargeback (filedate);
create index chargeback_batch on chargeback (batchid);

-- Every state of a case in the imported files.
create table chargeback_state (
  id           bigint generated always as identity primary key,
  chargebackid bigint not null references chargeback on delete cascade,
  casetype     text not null,
  status       text not null,
  amount       numeric(14, 2) not null,
  seen_at      timestamptz not null default now(),
  batchid      integer not null references import_batch
);
create index chargeback_state_case on chargeback_state (chargebackid, id);
create index chargeback_state_batch on chargeback_state (batchid);

-- The current row of each merchant. Words of a vendor that are not in the list do not count as compliant.
create table pci_compliance (
  id               bigint generated always as identity primary key,
  xmid             text not null,
  dba              text not null default '',
  pcilevel         smallint check (pcilevel between 1 and 4),
  saqtype          text not null default '',
  saqstatus        text not null default '',
  saqreceived      bigint,
  scanrequired     boolean,
  scanstatus       text not null default '',
  lastscandate     bigint,
  compliancestatus text not null,
  expirationdate   bigint,
  enrolleddate     bigint,
  vendor           text not null default '',
  noncompliancefee numeric(14, 2) not null default 0,
  extra            jsonb,
  batchid          integer not null references import_batch,
  iscompliant      boolean not null
    generated always as
      (lower(compliancestatus) in ('compliant', 'pass', 'passed', 'validated', 'yes')) stored
);
create unique index pci_compliance_key on pci_compliance (xmid);
create index pci_compliance_batch on pci_compliance (batchid);

-- The current row of each merchant, with only the last four digits of the number. `tintype` is 1 for an SSN
-- and 2 for an EIN, as in the rest of the portal; the IRS numbers them the other way round. `code` is the
-- result code of the IRS.
create table tin_validation (
  id                 bigint generated always as identity primary key,
  xmid               text not null,
  dba                text not null default '',
  legalname          text not null default '',
  tinlast4           text not null default '' check (tinlast4 ~ '^\d{0,4}$'),
  tintype            smallint check (tintype in (1, 2)),
  code               smallint check (code between 0 and 8),
  tinstatus          text not null check (tinstatus in ('Match', 'Mismatch', 'Missing', 'Error')),
  description        text not null default '',
  checkeddate        bigint,
  notice             smallint check (notice in (1, 2)),
  noticedate         bigint,
  withholding        boolean,
  withholdingpercent numeric(9, 4),
  extra              jsonb,
  batchid            integer not null references import_batch
);
create unique index tin_validation_key on tin_validation (xmid);
create index tin_validation_batch on tin_validation (batchid);
