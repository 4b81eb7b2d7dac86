/** One fix, undone: what an attack meets when a rule is not there. */
export type UndoneFix = {
  exploit: string;
  /** File of the rule, a piece of it that stands there once, and what stands there without the rule. */
  file: string;
  find: string;
  replace: string;
  /** The test that fails then. */
  test: string;
  name: string;
};

/** Reads the files of a form in the serving process, as imports once were. */
const READ_HERE = `const { readUpload } = await import('../documents/upload.ts');
  const parts = await new Response(Buffer.from(form.bytes), { headers: { 'content-type': form.contentType } }).formData();
  const given = [...parts.values()].filter((part) => part instanceof File);
  const here = await Promise.all(given.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
  return { ok: true, files: here.length, first: here[0]?.name ?? '', ...(await readUpload(here, { pillar: 'KNOWLEDGE' })) };
  return inTurn(form.accountId, async () => {
    const skipped`;
const READ_PAGE_HERE = `const { parsePage } = await import('../parse/page.ts');
  return parsePage({ bytes, ...page }, pillar);
  return inTurn(accountId, async () => {
    const reading`;
const HOSTILE = 'tests/integration/brain/imports/hostile-imports.test.ts';
const APART = 'lib/brain/imports/child-process/read-in-child.ts';

/** Every exploit of the review of 2026-11 and its neighbours, with the one piece of the service that stops it. */
export const UNDONE_FIXES: readonly UndoneFix[] = [
  {
    exploit: '71 hostile files (YAML keys, zip bomb, deep JSON, empty lines) read in the serving process',
    file: APART,
    find: 'return inTurn(form.accountId, async () => {\n    const skipped',
    replace: READ_HERE,
    test: HOSTILE,
    name: 'never hold the loop for 100 ms, and each is read or refused with a reason, the good file beside them read',
  },
  {
    exploit: 'A 40 KB PDF read in the serving process',
    file: APART,
    find: 'return inTurn(form.accountId, async () => {\n    const skipped',
    replace: READ_HERE,
    test: HOSTILE,
    name: 'that are never finished are each refused for their time, and the others are read without them',
  },
  {
    exploit: 'Front matter of 389 KB, without its limit',
    file: 'lib/brain/imports/parse/front-matter.ts',
    find: 'const MAX_BLOCK = 16 * 1024;',
    replace: 'const MAX_BLOCK = 16 * 1024 ** 2;',
    test: 'tests/unit/brain/imports/import-markdown.test.ts',
    name: 'takes a block of 16 KiB at most for front matter: a longer one is text',
  },
  {
    exploit: 'A page of nested <b>, without limits on elements and nesting',
    file: 'lib/brain/imports/parse/html.ts',
    find: 'elements > MAX_ELEMENTS || depth > MAX_NESTING',
    replace: 'elements < 0',
    test: 'tests/unit/brain/imports/import-files.test.ts',
    name: 'is refused without text, beyond 50,000 elements or 1,000 levels, and read just below',
  },
  {
    exploit: 'Hostile pages read in the serving process',
    file: APART,
    find: 'return inTurn(accountId, async () => {\n    const reading',
    replace: READ_PAGE_HERE,
    test: HOSTILE,
    name: 'as pages neither hold the loop nor fail otherwise than by a reason',
  },
  {
    exploit: 'A zip whose entry inflates to more than it says',
    file: 'lib/brain/imports/parse/zip.ts',
    find: '{ maxOutputLength: Math.max(1, uncompressedSize) }',
    replace: '{}',
    test: 'tests/unit/brain/imports/import-files.test.ts',
    name: 'is refused when an entry inflates to more than it declares',
  },
  {
    exploit: 'One account’s files before everybody else’s',
    file: 'lib/core/child-process/fair-slots.ts',
    find: 'Math.max(1, count - 1)',
    replace: 'count',
    test: 'tests/unit/core/child-process/fair-slots.test.ts',
    name: 'are never all one account’s: another’s work begins at once, whatever waits before it',
  },
  {
    exploit: 'One account’s clips measured before everybody else’s',
    file: 'lib/storage/media/measure-in-child.ts',
    find: 'await inTurn(owner, () =>',
    replace: "await inTurn('everybody', () =>",
    test: 'tests/integration/storage/media/probe-clip.test.ts',
    name: 'keeps no other account’s files waiting, however many came before them',
  },
  {
    exploit: 'Bodies of 50 MB that never end',
    file: 'lib/http/requests/large-body.ts',
    find: '> MAX_HELD.accountBytes',
    replace: '> Infinity',
    test: 'tests/api/hostile/large-bodies.test.ts',
    name: 'an account makes the service hold so many bytes of bodies that never end, and nobody else waits for them',
  },
  {
    exploit: 'Markdown of more elements than a page can draw',
    file: 'app/_ui/text/markdown.tsx',
    find: 'const MAX_ELEMENTS = 10_000;',
    replace: 'const MAX_ELEMENTS = Infinity;',
    test: 'tests/unit/ui/text/markdown.test.ts',
    name: 'what follows ten thousand elements, or is nested past reading, is shown as it was written',
  },
  {
    exploit: 'A title that writes outside its quotation',
    file: 'lib/brain/context/layout.ts',
    find: "['> ### ', '> #### ', '> ##### ', '> ###### ']",
    replace: "['### ', '#### ', '##### ', '###### ']",
    test: 'tests/properties/context.test.ts',
    name: 'no Memory, whatever its title and body, adds a line outside its quotation, and the preface says so at every budget',
  },
  {
    exploit: 'Tags and changes of direction that nobody sees, in a prompt',
    file: 'lib/brain/context/render.ts',
    find: 'const body = withoutInvisible(row.body);',
    replace: 'const body = row.body;',
    test: 'tests/properties/context.test.ts',
    name: 'hands no tag, no change of direction and no control character to a prompt',
  },
  {
    exploit: 'OAuth without response_type, to an address that a stranger registered',
    file: 'lib/oauth/check-authorization.ts',
    find: 'if (!(await hasConsented(ctx, client.id))) return applicationFault(message);',
    replace: '',
    test: 'tests/api/oauth/open-redirect.test.ts',
    name: 'sends nobody to an address that a stranger registered, signed in or not',
  },
  {
    exploit: 'ms-officecmd: as an application’s address',
    file: 'lib/oauth/protocol/redirect-uri.ts',
    find: 'if (REVERSE_DOMAIN.test(url.protocol) || isKnownCallback(text)) return null;',
    replace: 'return null;',
    test: 'tests/api/oauth/open-redirect.test.ts',
    name: '%s is refused at registration: it is neither reverse-domain nor a reviewed assistant’s',
  },
  {
    exploit: 'A forged x-forwarded-for',
    file: 'lib/http/requests/network.ts',
    find: 'chain[Math.min(hops, chain.length - 1)]',
    replace: 'forwarded.at(-1) ?? chain[0]',
    test: 'tests/api/oauth/forged-network.test.ts',
    name: 'a stranger who forges addresses gets no fresh allowance, and uses up nobody else’s',
  },
  {
    exploit: 'The outbox without its token',
    file: 'lib/http/security/shows-outbox.ts',
    find: 'return equalInConstantTime(token, own);',
    replace: 'return true;',
    test: 'tests/unit/http/security/outbox.test.ts',
    name: 'the outbox opens for its token and nothing else: no header is asked',
  },
  {
    exploit: 'Our own name under another scheme',
    file: 'lib/http/security/same-origin.ts',
    find: 'origin === reachedOrigin(request.headers)',
    replace: 'new URL(origin).host === new URL(reachedOrigin(request.headers)).host',
    test: 'tests/unit/http/security/same-origin.test.ts',
    name: 'refuses our own name under another scheme: whoever holds the network can speak as http',
  },
  {
    exploit: 'Keys without end',
    file: 'lib/identity/keys/key-limit.ts',
    find: 'if (living < LIVE_KEYS_PER_MEMBER) return;',
    replace: 'if (living >= 0) return;',
    test: 'tests/integration/identity/keys/live-keys.test.ts',
    name: 'counts its keys once another of its creations, begun before, has ended',
  },
  {
    exploit: 'Keys made at the same moment, counted without the lock',
    file: 'lib/identity/keys/key-limit.ts',
    find: '    .forNoKeyUpdate()\n',
    replace: '',
    test: 'tests/integration/identity/keys/live-keys.test.ts',
    name: 'counts its keys once another of its creations, begun before, has ended',
  },
  {
    exploit: 'Twenty keys that ask as twenty accounts',
    file: 'lib/identity/rate/rate-limit.ts',
    find: 'if (!isPast && accountPasses) return undefined;',
    replace: 'if (!isPast) return undefined;',
    test: 'tests/api/hostile/shared-rate.test.ts',
    name: 'has one rate for all its keys, applications and sessions together; every other account goes on',
  },
  {
    exploit: 'Routes of the cockpit asked without end by one member’s browsers',
    file: 'lib/identity/rate/rate-limit.ts',
    find: "of === 'member' ? member : CREDENTIAL_RATE",
    replace: "of === 'member' ? account : CREDENTIAL_RATE",
    test: 'tests/api/hostile/shared-rate.test.ts',
    name: 'has one rate for all their browsers; a colleague goes on',
  },
  {
    exploit: 'A quota of files counted without the lock',
    file: 'lib/storage/uploads/storage-quota.ts',
    find: '    await lockAccount.run(tx, { accountId });\n',
    replace: '',
    test: 'tests/integration/storage/uploads/storage-holds.test.ts',
    name: 'is never passed, however many ask for room at once, on however many connections',
  },
  {
    exploit: 'A quota of reads asked for at once',
    file: 'lib/brain/quota/consume-read.ts',
    find: "            .where('ReadMonth.used', '<', (eb) => eb.selectFrom('reader').select('readLimit')),\n",
    replace: ',',
    test: 'tests/api/v1/quota-and-projects.test.ts',
    name: '50 reads at once on a quota of 9: exactly 9 succeed, 41 answer quota_exceeded with the wait until the month turns',
  },
  {
    exploit: 'Names looked up in the threads that files share',
    file: 'lib/core/net/resolve-host.ts',
    find: '  const resolver = new Resolver(',
    replace: `  const { lookup } = process.getBuiltinModule('node:dns/promises');
  if (!options.servers) return (await lookup(hostname, { all: true })) as ResolvedAddress[];
  const resolver = new Resolver(`,
    test: 'tests/unit/core/net/resolve-host.test.ts',
    name: 'is never looked up in the threads that files and pictures share',
  },
  {
    exploit: 'A line of the ledger changed by the service’s own role',
    file: 'lib/local/postgres/rights.ts',
    find: "  LedgerLine: ['UPDATE', 'DELETE'],\n",
    replace: '',
    test: 'tests/integration/local/least-rights.test.ts',
    name: 'cannot change or remove a line of the ledger or an entry of the audit, nor take away what guards them',
  },
  {
    exploit: 'Files of the account read by a member without `generate`',
    file: 'app/api/files/[...pathname]/route.ts',
    find: "      permission: 'generate',\n",
    replace: '',
    test: 'tests/api/hostile/roles.test.ts',
    name: 'every route opens to whom the table says, and to nobody else',
  },
  {
    exploit: 'Half a surrogate pair, a NUL',
    file: 'lib/core/input/validate.ts',
    find: 'if (unstorable) throw',
    replace: 'if (unstorable && !value) throw',
    test: 'tests/api/hostile/texts/texts.test.ts',
    name: 'every text of every body, generated from its schema: 400 naming the field, and whatever the text no 5xx',
  },
];
