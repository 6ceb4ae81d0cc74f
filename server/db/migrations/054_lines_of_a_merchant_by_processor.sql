-- What each merchant brought up to a month is summed by processor in the order of this index (reports 22):
-- to sum a million merchants by hashes writes half a gigabyte to the disk, and takes twice as long.
create index residual_lines on residual (xmid, processor, month) include (income, net);
drop index residual_merchant;
alter index residual_lines rename to residual_merchant;
