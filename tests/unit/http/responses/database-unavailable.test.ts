import { expect, test } from 'vitest';
import { createLogger } from '#lib/core/log.ts';
import { toServiceError } from '#lib/http/responses/respond.ts';

const log = createLogger({ write: () => {}, now: () => new Date(0) });
const coded = (code: string) => Object.assign(new Error('SECRET'), { name: 'error', code });
const codeOf = (thrown: unknown) => toServiceError(thrown, log, 'req_1').code;

test.each<[string, unknown]>([
  ['a pooler that lost its server, or had none to give in time', coded('08P01')],
  ['a server that cannot be reached', coded('08006')],
  ['a machine whose name is gone, as a stopped container’s', coded('ENOTFOUND')],
  ['a name server that does not answer', coded('EAI_AGAIN')],
  ['a server that takes reads alone, as a standby does', coded('25006')],
  ['a server whose disk is full', coded('53100')],
  ['a machine or a network to which no way leads', coded('EHOSTUNREACH')],
  ['a transaction that was idle for too long', new Error('lost', { cause: coded('25P03') })],
  [
    'a connection that was cut before the statement',
    new Error('Client has encountered a connection error and is not queryable'),
  ],
  ['a connection that was cut during it', new Error('Connection terminated unexpectedly')],
])('%s is unavailable, and may be asked again', (_, thrown) => {
  expect(codeOf(thrown)).toBe('unavailable');
});

test('what the database refuses is a fault of ours', () => {
  expect(['23505', '25P02', '40P01', 'X08P01'].map((code) => codeOf(coded(code)))).toEqual(
    Array.from({ length: 4 }, () => 'internal_error'),
  );
});
