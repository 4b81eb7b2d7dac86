import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { isDatabaseUnavailable } from '#lib/core/faults.ts';

/** The error of the driver for an answer of the server, or of the pooler in front of it. */
function told(code: string, severity: string, message: string): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, 'error'), { code, severity });
}

const AWAY: [string, string, string][] = [
  ['57P01', 'FATAL', 'terminating connection due to administrator command'],
  ['08006', 'FATAL', 'server closed the connection'],
  ['XX000', 'FATAL', 'DbHandler exited'],
  ['XX000', 'FATAL', '(EMAXCONNSESSION) max clients reached in session mode'],
  ['XX000', 'ERROR', "Couldn't connect to compute node"],
  ['XX000', 'ERROR', 'Control plane request failed'],
];
const OURS: [string, string, string][] = [
  ['XX000', 'ERROR', 'cache lookup failed for relation 1234'],
  ['42P01', 'ERROR', 'relation "x" does not exist'],
  ['28P01', 'FATAL', 'password authentication failed'],
];

test.each(AWAY)('%s, %s, %s: the database is away, and the request may be made again later', (...answer) => {
  expect(isDatabaseUnavailable(told(...answer))).toBe(true);
  expect(isDatabaseUnavailable(new Error('a verb', { cause: told(...answer) }))).toBe(true);
  const [originalCode, severity, message] = answer;
  const byPrisma = Object.assign(new Error(`Invalid invocation: ${message}`), {
    code: 'P2010',
    meta: { driverAdapterError: { cause: { originalCode, severity } } },
  });
  expect(isDatabaseUnavailable(byPrisma)).toBe(true);
});

test.each(OURS)('%s, %s, %s: a fault, not an absence', (...answer) => {
  expect(isDatabaseUnavailable(told(...answer))).toBe(false);
});
