-- One bulk change is a row of bulk_change, and what it did to one record a row of bulk_record_change.
alter table bulk_change rename to bulk_record_change;
alter table bulk_record_change rename column actionid to changeid;
alter table bulk_record_change rename constraint bulk_change_pkey to bulk_record_change_pkey;
alter table bulk_record_change rename constraint bulk_change_actionid_fkey to bulk_record_change_changeid_fkey;
alter table bulk_record_change rename constraint bulk_change_check to bulk_record_change_check;
alter table bulk_action rename to bulk_change;
alter table bulk_change rename constraint bulk_action_pkey to bulk_change_pkey;
alter table bulk_change rename constraint bulk_action_undone to bulk_change_undone;
alter table bulk_change rename constraint bulk_action_operation_check to bulk_change_operation_check;
alter table bulk_change rename constraint bulk_action_userid_fkey to bulk_change_userid_fkey;
alter sequence bulk_action_id_seq rename to bulk_change_id_seq;
alter index bulk_action_entity rename to bulk_change_entity;
alter index bulk_action_user rename to bulk_change_user;
