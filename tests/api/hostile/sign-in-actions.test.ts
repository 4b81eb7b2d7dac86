import { beforeAll, beforeEach, expect, test } from 'vitest';
import { readSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { useApi } from '#tests/setup/api.ts';
import { type Action, discoverActions } from './actions.ts';
import { afterAnswer, browser, signInAs } from './next-request.ts';

const service = useApi();
let actions: Action[] = [];
beforeAll(async () => {
  actions = await discoverActions();
});
beforeEach(() => {
  browser.others.clear();
  browser.given.clear();
});

async function run(name: string, input: Record<string, unknown>) {
  const action = actions.find((one) => one.name === `app/${name}`);
  if (!action) throw new Error(`no action ${name}`);
  afterAnswer.isRun = true;
  const answer = await action.run(input);
  await Promise.all(afterAnswer.works.splice(0));
  afterAnswer.isRun = false;
  return answer;
}

/** What the browser was given, it sends from now on. */
function keepCookies(): void {
  for (const [name, { value }] of browser.given) browser.others.set(name, value);
}

test('a code opens a session for the browser that asked, ends the one that it carried, and forgets where the code went', async () => {
  const { member, actor } = await makeAccount(service);
  const secret = process.env.SERVICE_SESSION_SECRET as string;
  await signInAs(service, actor);
  const carried = await readSessionCookie(browser.cookie, secret);
  await run('(public)/connexion/actions.ts askForCode', { email: member.email });
  const mail = await service.db.outboxMessage.findFirstOrThrow({ where: { recipient: member.email ?? '' } });
  const code = /\b\d{6}\b/.exec(mail.text)?.[0];
  keepCookies();
  await run('(public)/connexion/actions.ts enterCode', { code });
  const opened = await readSessionCookie(browser.given.get('atelier')?.value ?? '', secret);
  const sessions = await service.db.session.findMany({ where: { memberId: member.id, revokedAt: null } });
  expect(sessions.map(({ id }) => id)).toEqual([opened]);
  expect(opened).not.toBe(carried);
  expect(browser.given.get('atelier-connexion')).toMatchObject({ value: '', maxAge: 0 });
});

test('signing out everywhere takes the cookie back too', async () => {
  const { member, actor } = await makeAccount(service);
  await signInAs(service, actor);
  await run('(cockpit)/compte/actions.ts signOutEverywhere', {});
  expect(browser.given.get('atelier')).toMatchObject({ value: '', maxAge: 0 });
  expect(await service.db.session.count({ where: { memberId: member.id, revokedAt: null } })).toBe(0);
});
