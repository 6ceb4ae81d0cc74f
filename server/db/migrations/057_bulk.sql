-- Changes of many records at once are called bulk changes (bulk 5).
alter table many_action rename to bulk_action;
alter table many_change rename to bulk_change;
alter table bulk_action rename constraint many_action_pkey to bulk_action_pkey;
alter table bulk_action rename constraint many_action_undone to bulk_action_undone;
alter table bulk_action rename constraint many_action_operation_check to bulk_action_operation_check;
alter table bulk_action rename constraint many_action_userid_fkey to bulk_action_userid_fkey;
alter table bulk_change rename constraint many_change_pkey to bulk_change_pkey;
alter table bulk_change rename constraint many_change_actionid_fkey to bulk_change_actionid_fkey;
alter table bulk_change rename constraint many_change_check to bulk_change_check;
alter sequence many_action_id_seq rename to bulk_action_id_seq;
alter index many_action_entity rename to bulk_action_entity;
alter index many_action_user rename to bulk_action_user;

-- The entries of the audit keep what they say, under the new name of their kind.
alter table audit disable trigger audit_append_only;
update audit set action = 'bulk' where action = 'many';
update audit set action = 'undobulk' where action = 'undomany';
update audit set entity = 'bulk' where entity = 'many';
alter table audit enable trigger audit_append_only;
