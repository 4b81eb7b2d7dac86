-- Read by nothing since "Asset_listed": every reader of an account's files by state wants those that are left.
DROP INDEX CONCURRENTLY "Asset_accountId_state_createdAt_id_idx";
