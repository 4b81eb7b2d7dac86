import { describe, expect, test } from 'vitest';
import {
  type Actor,
  actorLabel,
  GRANTABLE_PERMISSIONS,
  hasPermission,
  isWritingScope,
  type KeyActor,
  type MemberActor,
  type OAuthActor,
  PERMISSIONS,
  type Permission,
  SCOPES,
} from '#lib/core/actor.ts';
import { manualClock } from '#lib/core/clock.ts';
import { isRecentlyVerified, requireRecentVerification } from '#lib/core/recent-verification.ts';

const identity = { accountId: 'acc_1', memberId: 'mbr_1', role: 'MEMBER', permissions: [] } as const;
const member = (more: Partial<MemberActor> = {}): MemberActor => ({
  ...identity,
  type: 'member',
  sessionId: 'ses_1',
  operator: false,
  ...more,
});
const key = (more: Partial<KeyActor> = {}): KeyActor => ({
  ...identity,
  type: 'key',
  keyId: 'key_1',
  scopes: [],
  ...more,
});
const application = (more: Partial<OAuthActor> = {}): OAuthActor => ({
  ...identity,
  type: 'oauth',
  grantId: 'grt_1',
  clientId: 'cli_1',
  scopes: [],
  ...more,
});

const held = (actor: Actor) => PERMISSIONS.filter((one) => hasPermission(actor, one));
const every: readonly Permission[] = PERMISSIONS;
const ofTheAccount = PERMISSIONS.filter((one) => one !== 'service.operate');

describe('what each actor may do', () => {
  const table: [string, Actor, readonly Permission[]][] = [
    ['a scheduled job: everything', { type: 'system', job: 'retention' }, every],
    ['the shell: everything', { type: 'admin' }, every],
    ['nobody: nothing', { type: 'anonymous' }, []],
    ['a person outside any account: nothing', { type: 'person', personId: 'p', sessionId: 's' }, []],
    ['a founder: everything of the account', member({ role: 'FOUNDER' }), ofTheAccount],
    ['a founder of the operator: everything', member({ role: 'FOUNDER', operator: true }), every],
    ['a member without rights: nothing', member(), []],
    ['a member of the operator: no more than another', member({ operator: true }), []],
    [
      'a member who was given everything, the operator’s or not: what a founder can give',
      member({ permissions: PERMISSIONS, operator: true }),
      ['brain.write', 'generate'],
    ],
    ['a member with one right: that one', member({ permissions: ['generate'] }), ['generate']],
    ['a founder’s key: everything of the account', key({ role: 'FOUNDER' }), ofTheAccount],
    ['a member’s key: the member’s rights', key({ permissions: ['brain.write'] }), ['brain.write']],
    ['a founder’s application: everything of the account', application({ role: 'FOUNDER' }), ofTheAccount],
  ];
  test.each(table)('%s', (_, actor, permissions) => {
    expect(held(actor)).toEqual(permissions);
  });

  test('a founder can give two rights, and no key acts for the operator whatever it says', () => {
    expect(GRANTABLE_PERMISSIONS).toEqual(['brain.write', 'generate']);
    const forged = { ...key({ role: 'FOUNDER' }), operator: true } as KeyActor;
    expect(hasPermission(forged, 'service.operate')).toBe(false);
  });
});

test('each actor has its name in the audit', () => {
  const table: [Actor, string][] = [
    [member(), 'member:mbr_1'],
    [key(), 'key:key_1'],
    [application(), 'oauth:grt_1'],
    [{ type: 'person', personId: 'per_1', sessionId: 's' }, 'person:per_1'],
    [{ type: 'system', job: 'webhooks' }, 'system:webhooks'],
    [{ type: 'admin' }, 'admin'],
    [{ type: 'anonymous' }, 'anonymous'],
  ];
  for (const [actor, label] of table) expect(actorLabel(actor)).toBe(label);
});

test('the scopes that change or spend something are three', () => {
  expect(SCOPES.filter(isWritingScope)).toEqual(['brain:write', 'brain:propose', 'studio:generate']);
});

describe('a fresh proof', () => {
  const clock = manualClock('2026-11-10T12:00:00Z');
  const proved = (agoMs: number) => member({ verifiedAt: new Date(clock.now().getTime() - agoMs) });
  const table: [string, Actor, boolean][] = [
    ['a session that never proved anything', member(), false],
    ['a session, ten minutes after', proved(600_000), true],
    ['a session, one millisecond later', proved(600_001), false],
    ['a key', key(), true],
    ['an application', application(), true],
    ['a job', { type: 'system', job: 'retention' }, true],
    ['the shell', { type: 'admin' }, true],
    ['a person outside any account', { type: 'person', personId: 'p', sessionId: 's' }, false],
    ['nobody', { type: 'anonymous' }, false],
  ];
  test.each(table)('%s: %s', (_, actor, isFresh) => {
    expect(isRecentlyVerified({ actor, clock })).toBe(isFresh);
    let refusal: unknown = null;
    try {
      requireRecentVerification({ actor, clock });
    } catch (error) {
      refusal = (error as { code?: unknown }).code;
    }
    expect(refusal).toBe(isFresh ? null : 'verification_required');
  });
});
