import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import { makeAccount, makeKey, makeMember } from '#tests/factories/account.ts';
import { listenHere } from '#tests/setup/http/listen-here.ts';
import { useTestService } from '#tests/setup/service.ts';
import type { Said } from './many-commands.ts';

const service = useTestService();
let folder = '';
let shell: ChildProcess;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'atelier-admin-'));
  shell = fork(new URL('./many-commands.ts', import.meta.url), {
    env: environment(),
    cwd: repositoryRoot,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
});
afterAll(async () => {
  if (shell.connected) shell.disconnect();
  if (shell.exitCode === null && shell.signalCode === null) await once(shell, 'exit');
  await rm(folder, { recursive: true, force: true });
});

type Answer = Said & { json: () => Record<string, unknown> };

const answerOf = (said: Said): Answer => ({ ...said, json: () => JSON.parse(said.out) });
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');
const environment = () => ({
  ...process.env,
  DATABASE_URL: service.databaseUrl,
  SERVICE_SESSION_SECRET: 's'.repeat(32),
  INIT_CWD: folder,
});

let last: Promise<unknown> = Promise.resolve();

/** A command in the one process that most of them share: starting one costs half a second. */
function admin(...args: string[]): Promise<Answer> {
  const asked = last.then(
    () =>
      new Promise<Answer>((resolve, reject) => {
        const died = () => reject(new Error(`the process ended before ${args.join(' ')}`));
        shell.once('exit', died);
        shell.once('message', (said) => {
          shell.off('exit', died);
          resolve(answerOf(said as Said));
        });
        shell.send(args);
      }),
  );
  last = asked.catch(() => undefined);
  return asked;
}

/** A command in a process of its own, as it is typed: its exit code, and that it ends. */
const alone = (...args: string[]) => adminWith({}, ...args);

function adminWith(extra: Record<string, string>, ...args: string[]): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(repositoryRoot, 'scripts/admin.ts'), ...args],
      { env: { ...environment(), ...extra }, cwd: repositoryRoot },
      (error, out, err) =>
        resolve(answerOf({ code: error ? ((error.code as unknown as number) ?? 1) : 0, out, err })),
    );
  });
}

/** A server that says the same thing to everybody. */
async function answering(status: number, type: string, body: string) {
  const server = createServer((_, response) =>
    response.writeHead(status, { 'content-type': type }).end(body),
  );
  await listenHere(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function write(file: string, text: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), text);
}

describe('npm run admin', () => {
  test('the verbs of the app, one JSON object each, by name or identifier', async () => {
    const account = (
      await alone(
        'account',
        'create',
        'Maison Lumen',
        '--email',
        'Agnes@Exemple.fr',
        '--capacity',
        '50',
        '--json',
      )
    ).json();
    expect(account).toMatchObject({
      name: 'Maison Lumen',
      capacityCu: 50,
      accountId: expect.stringMatching(/^acc_/),
    });
    const space = (await admin('space', 'create', 'Marque', '--account', 'maison lumen', '--json')).json();
    expect(space).toMatchObject({ name: 'Marque', template: 'brand' });
    const key = (
      await admin('key', 'create', 'essai', '--account', account.accountId as string, '--json')
    ).json();
    expect(key).toMatchObject({
      secret: expect.stringMatching(/^atl_[0-9a-f]{64}$/),
      scopes: ['brain:read', 'projects:read'],
    });
    expect((await admin('key', 'revoke', 'Essai', '--json')).json()).toEqual({
      keyId: key.id,
      revoked: true,
    });
    expect((await admin('key', 'revoke', key.id as string, '--json')).code).toBe(0);
    expect((await admin('session', 'create', '--json')).json()).toMatchObject({
      cookie: expect.stringMatching(/^atelier=ey/),
    });
    expect((await admin('quota', 'set', '7', '--json')).json()).toMatchObject({ contractualReads: 7 });
    expect(
      (await admin('project', 'create', 'Boutique', '--website', 'https://exemple.fr', '--json')).code,
    ).toBe(0);
    expect((await admin('ledger', 'grant', '2,5', '--json')).json()).toMatchObject({
      balanceMicros: 2_500_000,
    });
    expect(
      (await admin('ledger', 'cap', '--generation', '0,5', '--month', '20', '--json')).json(),
    ).toMatchObject({ perGenerationCapMicros: 500_000, monthlyCapMicros: 20_000_000 });
    expect((await admin('ledger', 'cap', '--month', 'none', '--json')).json()).toMatchObject({
      perGenerationCapMicros: 500_000,
      monthlyCapMicros: null,
    });
    expect((await admin('key', 'create', 'sans fin', '--days', 'never', '--json')).json()).toMatchObject({
      expiresAt: null,
    });
    const actions = await service.db.auditEntry.findMany({
      where: { accountId: account.accountId as string },
      select: { action: true, actor: true },
    });
    expect(new Set(actions.map(({ actor }) => actor))).toEqual(new Set(['admin']));
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['account.created', 'space.created', 'key.created', 'key.revoked']),
    );
  });

  test('a session opened for an invited member lets them in as a code would: once, and audited', async () => {
    const invited = (await admin('member', 'invite', 'louis@exemple.fr', '--name', 'Louis', '--json')).json();
    const key = await admin('key', 'create', 'tôt', '--member', 'Louis');
    expect(key.out).toMatch(/^atl_.*la clé sera refusée jusqu’à sa première connexion\.\n$/s);
    for (let n = 0; n < 2; n += 1)
      expect((await admin('session', 'create', '--member', 'Louis', '--json')).code).toBe(0);
    const memberId = invited.memberId as string;
    expect(await service.db.member.findUnique({ where: { id: memberId } })).toMatchObject({
      status: 'ACTIVE',
    });
    const sessions = await service.db.session.findMany({ where: { memberId }, select: { id: true } });
    const audit = await service.db.auditEntry.findMany({
      where: { subjectId: { in: [memberId, ...sessions.map(({ id }) => id)] } },
      orderBy: { id: 'asc' },
    });
    expect(audit.map(({ action, actor }) => `${action} ${actor}`)).toEqual([
      'member.invited admin',
      'member.joined admin',
      'session.opened admin',
      'session.opened admin',
    ]);
  });

  test('a session is printed under the name that the service at its public address reads', async () => {
    const create = (publicUrl: string, name = 'SERVICE_PUBLIC_URL') =>
      adminWith({ SERVICE_PUBLIC_URL: '', [name]: publicUrl }, 'session', 'create', '--json');
    expect((await create('https://atelier.exemple.fr')).json().cookie).toMatch(/^__Host-atelier=ey/);
    expect((await create('http://127.0.0.1:3000')).json().cookie).toMatch(/^atelier=ey/);
    const former = await create('https://atelier.exemple.fr', 'STUDIO_PUBLIC_URL');
    expect(former.json().cookie).toMatch(/^__Host-atelier=ey/);
  });

  test('a cookie of a configured database that this machine’s own secret signs says that a service elsewhere refuses it', async () => {
    const here = await adminWith(
      { SERVICE_SESSION_SECRET: '', SERVICE_DATA_DIR: path.join(folder, 'data') },
      'session',
      'create',
    );
    expect([here.code, here.out]).toEqual([0, expect.stringMatching(/^(__Host-)?atelier=ey/)]);
    expect(plain(here.err)).toContain('donnez ses SERVICE_SESSION_SECRET et SERVICE_PUBLIC_URL');
    expect((await alone('session', 'create')).err).not.toContain('SERVICE_SESSION_SECRET');
  });

  test('a Markdown folder becomes nested Memories; run again it updates what changed and duplicates nothing', async () => {
    await write('textes/guide.md', '# Guide\n\nComment parler.');
    await write('textes/guide/ton.md', '---\npillar: GUIDELINES\n---\nNous vouvoyons.');
    await write('textes/guide/mots.md', 'Les mots justes.');
    await write('textes/latin1.md', new Uint8Array([0xe9, 0x74, 0xe9]));
    const first = await alone('space', 'import', 'textes', '--space', 'Marque', '--json');
    expect(first.json()).toMatchObject({
      created: 3,
      updated: 0,
      unchanged: 0,
      refused: [{ path: 'latin1.md', reason: expect.any(String) }],
    });
    await write('textes/guide/mots.md', 'Les mots vraiment justes.');
    expect(first.code).toBe(3);
    const second = await admin('space', 'import', 'textes', '--space', 'Marque', '--json');
    expect(second.json()).toMatchObject({ created: 0, updated: 1, unchanged: 2 });
    const rows = await service.db.memory.findMany({ orderBy: { createdAt: 'asc' } });
    expect(
      rows.map(({ title, sourceRef, source, depth, role }) => [title, sourceRef, source, depth, role]),
    ).toEqual(
      expect.arrayContaining(
        [
          ['Guide', 'guide.md', 'UPLOAD', 0, 'KNOWLEDGE'],
          ['mots', 'guide/mots.md', 'UPLOAD', 1, 'KNOWLEDGE'],
          ['ton', 'guide/ton.md', 'UPLOAD', 0, 'GUIDELINES'],
        ].map(([title, ...rest]) => [expect.stringMatching(new RegExp(`^${title}$`, 'i')), ...rest]),
      ),
    );
    expect(rows).toHaveLength(3);
    const space = await service.db.space.findFirstOrThrow();
    expect([space.memories, space.cu]).toEqual([3, rows.reduce((sum, row) => sum + row.cu, 0)]);
  });

  test('at full capacity it says what was imported and what was not, and exits with 3', async () => {
    await admin('capacity', 'set', '4');
    for (let i = 0; i < 5; i += 1) await write(`autres/texte-${i}.md`, `Texte numéro ${i}.`);
    const answer = await admin('space', 'import', 'autres', '--space', 'Marque');
    expect(answer.code).toBe(3);
    const said = plain(answer.out);
    expect(said).toContain('1 créée, 0 mise à jour, 0 inchangée, 4 refusées (5 fichiers).');
    expect(said).toContain('La capacité du compte ne suffit pas');
    const account = await service.db.account.findFirstOrThrow();
    expect(account.usedCu).toBe(4);
  });

  test('an export is written as its file name asks, and anything but JSON or zip is refused', async () => {
    await admin('capacity', 'set', '100');
    expect(
      (await admin('space', 'export', path.join(folder, 'un.json'), '--space', 'Marque', '--json')).json(),
    ).toMatchObject({ memories: 4 });
    expect((await admin('space', 'export', path.join(folder, 'un.txt'), '--space', 'Marque')).code).toBe(2);
  });

  test('an export or an import for a member who does not reach the Space, or is no active one, is refused before it begins', async () => {
    const { id: accountId } = await service.db.account.findFirstOrThrow();
    const member = await makeMember(service, accountId, { name: 'Nour', role: 'MEMBER' });
    const where = { id: member.id };
    await service.db.member.update({ where, data: { spaceRights: {} } });
    const file = path.join(folder, 'refusé.json');
    const named = ['--space', 'Marque', '--member', 'Nour'];
    for (const command of [
      ['export', file],
      ['import', 'textes'],
    ]) {
      const said = await admin('space', ...command, ...named);
      expect([said.code, plain(said.err).trim()]).toEqual([
        1,
        'Ce membre n’a pas accès à l’espace « Marque » : rien n’a été fait.',
      ]);
    }
    await service.pool.query(`UPDATE "Member" SET "spaceRights" = NULL WHERE "id" = $1`, [member.id]);
    await service.db.member.update({ where, data: { status: 'INVITED' } });
    const early = await admin('space', 'export', file, ...named);
    expect([early.code, plain(early.err).trim()]).toEqual([
      1,
      'Nour n’est pas un membre actif de ce compte : rien n’a été fait.',
    ]);
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
    await service.db.member.update({ where, data: { status: 'ACTIVE' } });
    expect((await admin('space', 'export', file, ...named)).code).toBe(0);
    await service.db.member.update({ where, data: { status: 'REMOVED', email: null } });
  });

  test('an export is written where the command was typed, as an import is read there', async () => {
    const written = await admin('space', 'export', 'deux.zip', '--space', 'Marque', '--json');
    expect([written.code, written.json().file]).toEqual([0, 'deux.zip']);
    expect((await stat(path.join(folder, 'deux.zip'))).size).toBe(written.json().bytes);
  });

  test('a mistake is told in French on the error stream: 1 for a refusal, 2 for a misuse', async () => {
    const unknown = await alone('space', 'import', 'textes', '--space', 'Inconnu');
    expect([unknown.code, unknown.err.trim()]).toEqual([1, 'Aucun espace « Inconnu ».']);
    expect((await admin('space', 'import', 'nulle-part', '--space', 'Marque')).code).toBe(1);
    expect((await alone('inconnue')).code).toBe(2);
    const misuse = await admin('capacity', 'set', 'abc');
    expect([misuse.code, misuse.err]).toEqual([2, expect.stringContaining('« abc »')]);
    const misuses = [
      ['ledger', 'grant', 'abc'],
      ['ledger', 'cap'],
      ['quota', 'set', 'abc'],
      ['storage', 'set', '-1'],
      ['key', 'create', 'essai', '--days', '7,5'],
      ['space', 'create', 'Essai', '--template', 'x'],
      ['space', 'import', 'textes', '--pillar', 'x'],
    ];
    const codes = await Promise.all(misuses.map(async (args) => (await admin(...args)).code));
    expect(codes).toEqual(misuses.map(() => 2));
    const missing = await admin('key', 'create');
    expect([missing.code, missing.err]).toEqual([2, 'Il manque <nom>.\n(--help montre l’usage)\n']);
    const help = await admin('space', 'import', '--help');
    expect([help.code, help.out.includes('--pillar')]).toEqual([0, true]);
  });

  test('a database that is away, or was never migrated, is told in a sentence that says what to look at', async () => {
    const away = await adminWith({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none' }, 'key', 'list');
    expect([away.code, away.out]).toEqual([1, '']);
    expect(plain(away.err)).toMatch(/^La base de données ne répond pas \(ECONNREFUSED\) : .*\n$/);
    const empty = new URL(service.databaseUrl);
    empty.pathname = '/postgres';
    const bare = await adminWith({ DATABASE_URL: empty.href }, 'key', 'list');
    expect([bare.code, bare.err]).toEqual([1, expect.stringContaining('npm run migrate')]);
  });

  test('an amount that no ledger holds, a capacity beyond its limit or a founder’s name of a web address is refused in French', async () => {
    const amount = await admin('ledger', 'ceiling', '9'.repeat(20));
    expect([amount.code, amount.err]).toEqual([2, expect.stringContaining('n’est pas un montant')]);
    const trop = ['Trop', '--email', 'b@exemple.fr'];
    const large = await admin('account', 'create', ...trop, '--capacity', '9999999999');
    expect([large.code, plain(large.err)]).toEqual([1, expect.stringContaining('entre 0 et 100000000')]);
    const named = await admin('account', 'create', ...trop, '--founder', 'www.exemple.fr');
    expect([named.code, named.err]).toEqual([1, expect.stringContaining('pas d’adresse web')]);
    expect(await service.db.account.count({ where: { name: 'Trop' } })).toBe(0);
  });

  test('a sweep asked of a service that does not answer, or of a page before it, is told with its address or its status', async () => {
    const asked = (url: string) =>
      adminWith({ SERVICE_PUBLIC_URL: url, CRON_SECRET: 'c'.repeat(16) }, 'sweep', '--json');
    const { url, close } = await answering(502, 'text/html', '<h1>Bad gateway</h1>');
    const page = await asked(url);
    await close();
    expect([page.code, page.err]).toEqual([1, 'Le service a répondu 502.\n']);
    const silent = await asked(url);
    expect([silent.code, silent.err]).toEqual([1, `Le service ne répond pas à l’adresse ${url}.\n`]);
  });

  test('a sweep says in French what it counted', async () => {
    const counts = { settled: 1, reconciled: 0, errors: 0, videoPending: 2 };
    const { url, close } = await answering(200, 'application/json', JSON.stringify(counts));
    const said = await adminWith({ SERVICE_PUBLIC_URL: url, CRON_SECRET: 'c'.repeat(16) }, 'sweep');
    await close();
    expect([said.err, plain(said.out)]).toEqual([
      '',
      'Relève faite.\n  débits en attente écrits : 1\n  lignes closes ou remboursées : 0\n' +
        '  en échec, reprises à la prochaine relève : 0\n  vidéos encore en cours : 2\n',
    ]);
  });

  test('the place of an account’s files is set in gigabytes, and given back to what everybody has', async () => {
    const set = await admin('storage', 'set', '3', '--json');
    expect([set.code, set.json().quotaBytes]).toEqual([0, 3 * 1024 ** 3]);
    expect((await admin('storage', 'set', '2000000')).code).toBe(1);
    expect(plain((await admin('storage', 'set', 'default')).out)).toBe('Fichiers : 0 / 20 Go.\n');
    const told = await service.db.auditEntry.findMany({
      where: { action: 'account.storage_set' },
      orderBy: { at: 'asc' },
    });
    expect(told.map(({ data }) => data)).toEqual([{ bytes: String(3 * 1024 ** 3) }, { bytes: null }]);
  });

  test('files of the former application are imported from a manifest, or refused line by line', async () => {
    const line = {
      path: 'a.png',
      type: 'image',
      contentType: 'image/png',
      bytes: 12,
      createdAt: '2023-11-02T08:00:00Z',
    };
    await write('repris.jsonl', JSON.stringify(line));
    await write('fautif.jsonl', `${JSON.stringify(line)}\n{"path":"b.png"}`);
    const [done, refused, nowhere] = await Promise.all([
      admin('files', 'import', 'repris.jsonl'),
      admin('files', 'import', 'fautif.jsonl', '--dry-run'),
      admin('files', 'import', 'absent.jsonl'),
    ]);
    expect(plain(done.out)).toBe('Repris : 1 fichier (12 o, laissé où il est) ; déjà là : 0.\n');
    expect([refused.code, nowhere.code]).toEqual([1, 1]);
    expect(plain(refused.err)).toContain('ligne 2, type : L’un de ces mots');
  });

  test('a retention pass exits with 3 when it is incomplete and with 1 when nothing was touched', async () => {
    const nowhere = {
      BLOB_READ_WRITE_TOKEN: 'vercel_blob_rw_magasin_secret',
      VERCEL_BLOB_API_URL: 'http://127.0.0.1:9',
      VERCEL_BLOB_RETRIES: '0',
    };
    const cut = await adminWith(nowhere, 'retention', '--json');
    expect([cut.code, cut.json().complete]).toEqual([3, false]);
    expect((await adminWith(nowhere, 'retention')).code).toBe(3);
    expect((await adminWith({ BLOB_READ_WRITE_TOKEN: '' }, 'retention', '--json')).code).toBe(1);
  });

  // Last: with a second account, the commands above would have to name theirs.
  test('an account is closed by its name typed again and reopened, each audited; who could not be told by mail is counted', async () => {
    const made = await admin('account', 'create', 'Savonnerie', '--email', 'paul@exemple.fr', '--json');
    const accountId = made.json().accountId as string;
    const close = (...more: string[]) => admin('account', 'close', 'savonnerie', ...more, '--json');
    expect((await close()).code).toBe(2);
    const wrong = await close('--confirm', 'Savonerie');
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('Rien n’a été fermé')]);
    // The founder has not signed in yet, and is nobody to tell.
    await service.db.member.updateMany({ where: { accountId }, data: { status: 'ACTIVE' } });
    const closed = await close('--confirm', 'Savonnerie');
    expect(closed.json()).toMatchObject({ accountId, erasedFrom: expect.stringMatching(/^\d{4}-/) });
    expect(plain(closed.err)).toContain('1 fondateur à prévenir vous-même : ');
    const again = await close('--confirm', 'Savonnerie');
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('déjà fermé')]);
    expect((await admin('account', 'reopen', accountId, '--json')).json()).toMatchObject({ accountId });
    expect((await admin('account', 'reopen', accountId)).code).toBe(1);
    const said = await service.db.auditEntry.findMany({
      where: { accountId, action: { in: ['account.closed', 'account.reopened'] } },
      orderBy: { at: 'asc' },
      select: { action: true, actor: true },
    });
    expect(said).toEqual([
      { action: 'account.closed', actor: 'admin' },
      { action: 'account.reopened', actor: 'admin' },
    ]);
  });

  test('an account that was erased is none: it cannot be named, and the one that is left needs no name', async () => {
    expect((await admin('key', 'list')).code).toBe(1);
    const closedAt = new Date('2026-01-01T00:00:00Z');
    const erasedAt = new Date('2026-02-15T00:00:00Z');
    await service.db.account.updateMany({
      where: { name: 'Savonnerie' },
      data: { closedAt, erasingAt: erasedAt, erasedAt, name: 'Compte effacé' },
    });
    expect((await admin('key', 'list', '--json')).code).toBe(0);
    expect((await admin('key', 'list', '--account', 'Compte effacé')).code).toBe(1);
  });

  test('a name that spells an identifier or an address hides nobody’s: the identifier and the address are who is meant', async () => {
    const { account } = await makeAccount(service, { name: 'Maison des noms' });
    const [stolen, mean, gone] = [
      await makeMember(service, account.id, { role: 'MEMBER', name: 'Inès' }),
      await makeMember(service, account.id, { role: 'MEMBER' }),
      await makeMember(service, account.id, { role: 'MEMBER' }),
    ];
    const { key } = await makeKey(service, stolen);
    const { key: twin } = await makeKey(service, mean);
    await service.db.developerKey.update({ where: { id: twin.id }, data: { name: key.id } });
    const revoke = await admin('key', 'revoke', key.id, '--account', account.id, '--json');
    expect(revoke.json()).toEqual({ keyId: key.id, revoked: true });
    const session = (member: string) =>
      admin('session', 'create', '--member', member, '--account', account.id, '--json');
    await service.db.member.update({ where: { id: mean.id }, data: { name: stolen.id } });
    expect((await session(stolen.id)).json()).toMatchObject({ memberId: stolen.id });
    await service.db.member.update({ where: { id: mean.id }, data: { name: stolen.email } });
    expect((await session(stolen.email.toUpperCase())).json()).toMatchObject({ memberId: stolen.id });
    // Who left is found no more, nor is who took that address for a name.
    await service.db.member.update({ where: { id: mean.id }, data: { name: gone.email } });
    await service.db.member.update({ where: { id: gone.id }, data: { status: 'REMOVED', email: null } });
    expect((await session(gone.email)).code).toBe(1);
    expect((await session('inès')).json()).toMatchObject({ memberId: stolen.id });
  });
});
