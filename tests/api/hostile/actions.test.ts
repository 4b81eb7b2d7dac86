import { beforeAll, describe, expect, test } from 'vitest';
import { createId, ID_PREFIXES } from '#lib/core/ids.ts';
import { DEMO_ACCOUNT_ID } from '#lib/products/registry.ts';
import { type PopulatedAccount, populatedAccount } from '#tests/factories/populated-account.ts';
import { useApi } from '#tests/setup/api.ts';
import { type Action, type Answer, actionCases, discoverActions, Reads, typedBy } from './actions.ts';
import { rowsOf, unknownTwin, withoutChance } from './attacks.ts';
import { browser, ORIGIN, sendFrom, signInAs } from './next-request.ts';

const service = useApi({ poolMax: 10 });
const VICTIM = 'ZQVICTIMEZQ';
const OWN = 'ZQATTAQUEZQ';

let actions: Action[] = [];
let victim: PopulatedAccount;
let own: PopulatedAccount;

beforeAll(async () => {
  actions = await discoverActions();
  victim = await populatedAccount(service, {
    marker: VICTIM,
    accountId: DEMO_ACCOUNT_ID,
    productId: 'lumen-bougies',
  });
  own = await populatedAccount(service, { marker: OWN });
});

/** A browser of the attacker's founder, on our own page unless said otherwise. */
async function signIn(origin: string | null = ORIGIN): Promise<void> {
  await signInAs(service, { accountId: own.accountId, memberId: own.ids.member?.[0] as string });
  sendFrom(origin);
}

const typed = () => typedBy(own);

const KIND_OF_FIELD: Record<string, string> = {
  keyId: 'developerKey',
  parentId: 'memory',
  jobId: 'importJob',
  id: 'memory',
};

/** The victim's values that a field could name: of the field's own kind when its name says one, else of every kind. */
function valuesFor(field: string): string[] {
  if (field === 'productId') return ['lumen-bougies'];
  if (['pathname', 'url', 'document'].includes(field)) return victim.pathnames;
  const kind = KIND_OF_FIELD[field] ?? field.replace(/Ids?$/, '');
  if (victim.ids[kind]) return victim.ids[kind];
  return Object.values(victim.ids).map(([id]) => id as string);
}

/** An answer without what the form sent, which comes back as it was typed. */
const said = ({ values: _, ...answer }: Answer & { values?: unknown }) =>
  withoutChance(JSON.stringify(answer))
    .replace(/atl_<hex>|atl_[0-9a-f]{64}/g, '<key>')
    .replace(/nouveau\d+@/g, 'nouveau@')
    // Memories of the attacker's own that the added one repeats: one more at each call.
    .replace(/"similar":\[[^\]]*\]/g, '"similar":[]');

describe('server actions', () => {
  test('every action refuses a call from another site, whoever is signed in, and writes nothing', async () => {
    const before = await service.pool.query('SELECT count(*)::int AS n FROM "AuditEntry"');
    const accepted: string[] = [];
    for (const action of actions)
      for (const origin of ['https://pirate.test', 'null']) {
        await signIn(origin);
        const audits = await service.pool.query('SELECT count(*)::int AS n FROM "AuditEntry"');
        const answer = await action.run(typed());
        const after = await service.pool.query('SELECT count(*)::int AS n FROM "AuditEntry"');
        const refused = answer.status === 'refused' && answer.code === 'forbidden';
        // Signing out from elsewhere only goes to the sign-in page; the gallery of components changes nothing.
        const harmless =
          answer.status === 'redirect' ||
          action.name.includes('/apercu/') ||
          action.name.startsWith('app/apercu');
        if ((!refused && !harmless) || audits.rows[0].n !== after.rows[0].n)
          accepted.push(`${action.name} from ${origin}: ${JSON.stringify(answer).slice(0, 200)}`);
      }
    expect(accepted).toEqual([]);
    expect(before.rows[0].n).toBeGreaterThan(0);
    expect(actions.length).toBeGreaterThan(20);
  });

  test('every action × every identifier of another account answers like an unknown identifier, tells nothing and changes nothing', async () => {
    const before = await rowsOf(service, victim, VICTIM);
    const failures: string[] = [];
    const reached = new Map<string, boolean>();
    let calls = 0;
    let unread = 0;
    for (const action of actions)
      for (const field of action.idFields)
        for (const value of valuesFor(field)) {
          const reads = new Reads();
          const set = (id: string) => ({ ...typed(), [field]: field.endsWith('Ids') ? [id] : id });
          await signIn();
          const answer = await action.run(set(value), reads);
          await signIn();
          const twin = value === 'lumen-bougies' ? 'produit-inconnu' : unknownTwin(value);
          const stranger = await action.run(set(twin));
          calls += 2;
          const where = `${action.name}, ${field} = ${value}`;
          const text = JSON.stringify(answer);
          if (text.toUpperCase().replaceAll(value.toUpperCase(), '').includes(VICTIM))
            failures.push(`${where}: tells the victim's text`);
          // The attacker's own rows may have moved on between the two calls: what counts is how a second try compares.
          // A Memory that is added again repeats the attacker's own; the victim's text was looked for above.
          const shown = (one: Answer, sent: string) =>
            said(one)
              .replaceAll(sent, '<v>')
              .replace(/"similar":\[.*?\]/, '"similar":[]');
          let differs = shown(answer, value) !== shown(stranger, twin);
          if (differs) {
            await signIn();
            differs = shown(await action.run(set(value)), value) !== shown(stranger, twin);
          }
          if (differs)
            failures.push(`${where}: ${said(answer).slice(0, 200)} ≠ ${said(stranger).slice(0, 200)}`);
          if (answer.status === 'refused' && answer.code !== 'invalid_request')
            reached.set(action.name, true);
          // The field is of another action of the file: what this one does not read says the same whatever it holds.
          if (!reads.hasRead(field)) {
            unread += 1;
            break;
          }
        }
    console.log(
      `actions: ${actions.length} actions, ${calls} calls, ${unread} fields of other actions, ${reached.size} reached their verb with a foreign identifier`,
    );
    expect(failures.slice(0, 12)).toEqual([]);
    expect(await rowsOf(service, victim, VICTIM)).toEqual(before);
    expect(reached.size).toBeGreaterThan(10);
  });

  test('a version past what its column holds is refused naming the field, never a fault of ours', async () => {
    const restore = actions.find(({ name }) => name.endsWith(' restoreRevision'));
    for (const field of ['version', 'expectedVersion']) {
      await signIn();
      const answer = await restore?.run({ ...typed(), [field]: 2_147_483_648 });
      expect(answer).toMatchObject({ status: 'refused', code: 'invalid_request', problems: [{ field }] });
    }
  });

  test('a delay that is left empty, or is no whole number, is refused: no key and no secret is ended at once', async () => {
    for (const [name, field] of [
      ['replaceKey', 'overlapDays'],
      ['replaceSecret', 'overlapHours'],
    ] as const) {
      const action = actions.find((one) => one.name.endsWith(` ${name}`));
      for (const text of ['', ' ', '0x0', '0e5', '0.0']) {
        await signIn();
        const answer = await action?.run({ ...typed(), [field]: text });
        expect([text, answer]).toMatchObject([
          text,
          { status: 'refused', problems: [{ field, message: 'Il faut un nombre entier.' }] },
        ]);
      }
    }
  });

  test('every action × every text that it names, with a NUL or half a surrogate pair: refused naming the field, never a fault of ours', async () => {
    const failures: string[] = [];
    const cases = actionCases(actions, typed);
    let named = 0;
    for (const { action, field, text } of cases) {
      await signIn();
      const answer = await action.run({ ...typed(), [field]: text });
      const problems = (answer.problems ?? []) as { field: string }[];
      if (problems[0]?.field === field) named += 1;
      // Some of these names are of another action of the file: what an action does not read is ignored.
      if (/internal/.test(answer.code ?? ''))
        failures.push(
          `${action.name} ${field} ${JSON.stringify(text)}: ${JSON.stringify(answer).slice(0, 250)}`,
        );
    }
    console.log(`actions: ${cases.length} calls with texts that are none, ${named} refused naming the field`);
    expect(failures.slice(0, 12)).toEqual([]);
    expect(named).toBeGreaterThan(80);
  });

  test('every action, called with nothing or with what is no form: refused, signed in or not, and never thrown out of', async () => {
    const failures: string[] = [];
    for (const action of actions.filter(({ name }) => !name.includes('apercu')))
      for (const [isSignedIn, ...given] of [[true], [false, {}, { get: 1, has: 1 }]]) {
        await signIn();
        if (!isSignedIn) browser.cookie = '';
        const answer = await action.call(...given).catch((error: unknown) => String(error));
        if (typeof answer === 'string' || /internal/.test(answer.code ?? ''))
          failures.push(`${action.name} ${JSON.stringify(given)}: ${JSON.stringify(answer).slice(0, 120)}`);
      }
    expect(failures.slice(0, 12)).toEqual([]);
  });

  test('an identifier that no row has is of the same shape as one that a row has', () => {
    const id = createId('space');
    expect(unknownTwin(id)).toMatch(new RegExp(`^${ID_PREFIXES.space}_[0-9a-z]{26}$`));
    expect(unknownTwin(id)).not.toBe(id);
  });
});
