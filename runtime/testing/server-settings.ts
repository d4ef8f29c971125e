/** Settings of a server in which nothing is worth more than the run that makes it: it need not reach the disk. */
export const disposable = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "256MB",
  shared_buffers: "64MB",
  // Of as many test files at once as a large machine has cores.
  max_connections: "500",
};
