/** The configuration of a test process before its first file: the environment is read once, and files that share a process run in any order. */
export const TEST_SECRETS = {
  SERVICE_ENV: 'development',
  SERVICE_SESSION_SECRET: 'session-secret-of-the-tests-0123456789',
  CRON_SECRET: 'cron-secret-of-the-tests',
  CALLBACK_SECRET: 'callback-secret-of-the-tests',
};
