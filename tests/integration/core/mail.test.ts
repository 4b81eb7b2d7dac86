import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { mailers } from '#lib/core/mail/mail.ts';
import { listOutbox, outboxMailer } from '#lib/core/mail/outbox.ts';
import { smtpMailer } from '#lib/core/mail/smtp.ts';
import { invitationMail, signInMail } from '#lib/identity/sign-in/sign-in-mail.ts';
import { useTestService } from '#tests/setup/service.ts';

const servers: SMTPServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise<void>((done) => server.close(done));
});

type Received = { from: string; to: string[]; body: string; user: string | undefined };

async function startServer(options: { refuse?: (attempt: number) => number | undefined } = {}) {
  const received: Received[] = [];
  const tries: string[] = [];
  const server = new SMTPServer({
    logger: false,
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onAuth: (auth, _session, done) =>
      auth.password === 'right' ? done(null, { user: auth.username ?? '' }) : done(new Error('no')),
    onData(stream, session, done) {
      let body = '';
      stream.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      stream.on('end', () => {
        tries.push(body);
        const status = options.refuse?.(tries.length);
        if (status) return done(Object.assign(new Error('refused'), { responseCode: status }));
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map((recipient) => recipient.address),
          body,
          user: session.user as string | undefined,
        });
        done();
      });
    },
  });
  server.on('error', () => {});
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.server.address() as AddressInfo;
  return { port, received, tries };
}

const FROM = 'Atelier <atelier@exemple.test>';
const CODE = signInMail({ to: 'camille@exemple.test', code: '042917' });

describe('SMTP', () => {
  it('delivers a sign-in mail to a real server, authenticated, with the code in its text', async () => {
    const { port, received } = await startServer();
    await smtpMailer({ url: `smtp://atelier:right@127.0.0.1:${port}`, from: FROM }).send(CODE);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      from: 'atelier@exemple.test',
      to: ['camille@exemple.test'],
      user: 'atelier',
    });
    expect(received[0]?.body).toContain('042917');
    expect(received[0]?.body).toMatch(/Auto-Submitted: auto-generated/i);
    expect(received[0]?.body).toMatch(/multipart\/alternative/);
  });

  it('tries again what the server refuses for now, and gives up at once on what it refuses for good', async () => {
    const busy = await startServer({ refuse: (attempt) => (attempt < 3 ? 451 : undefined) });
    await smtpMailer({ url: `smtp://127.0.0.1:${busy.port}`, from: FROM, retryDelaysMs: [1, 1] }).send(CODE);
    expect(busy.received).toHaveLength(1);
    const never = await startServer({ refuse: () => 554 });
    const mailer = smtpMailer({ url: `smtp://127.0.0.1:${never.port}`, from: FROM, retryDelaysMs: [1, 1] });
    await expect(mailer.send(CODE)).rejects.toThrow();
    expect(never.tries).toHaveLength(1);
  });

  it('a mail that is sent again keeps the identifier of its first try; another mail has its own', async () => {
    const { port, tries } = await startServer({ refuse: (attempt) => (attempt < 3 ? 451 : undefined) });
    const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from: FROM, retryDelaysMs: [1, 1] });
    await mailer.send(CODE);
    await mailer.send(CODE);
    const ids = tries.map((body) => /^Message-ID: (<[0-9a-f]{32}@exemple\.test>)\r$/im.exec(body)?.[1]);
    expect(ids).toEqual([ids[0], ids[0], ids[0], expect.any(String)]);
    expect(ids[3]).not.toBe(ids[0]);
    expect(ids).not.toContain(undefined);
  });

  it('never speaks in clear to another machine', async () => {
    // Another loopback name stands for another machine: it resolves here, and is not on the list of loopback names.
    const { port, received } = await startServer();
    const mailer = smtpMailer({ url: `smtp://[::ffff:127.0.0.1]:${port}`, from: FROM, retryDelaysMs: [] });
    await expect(mailer.send(CODE)).rejects.toThrow(/STARTTLS|TLS/i);
    expect(received).toHaveLength(0);
  });

  it('a name or an address cannot smuggle a header or a second recipient', async () => {
    const { port, received } = await startServer();
    const mail = invitationMail({
      to: 'camille@exemple.test',
      name: '<b>Eve</b>',
      inviter: 'Eve\r\nBcc: victime@exemple.test',
      accountName: '<script>alert(1)</script>',
      signInUrl: 'https://atelier.example/connexion',
    });
    await smtpMailer({ url: `smtp://127.0.0.1:${port}`, from: FROM }).send(mail);
    expect(received[0]?.to).toEqual(['camille@exemple.test']);
    expect(received[0]?.body).not.toMatch(/^Bcc:/im);
    expect(mail.html).not.toMatch(/<script>|<b>/);
  });
});

describe('the outbox', () => {
  const service = useTestService();

  it('keeps the last fifty messages and says the code in the terminal', async () => {
    const said: string[] = [];
    const clock = manualClock('2026-11-21T10:00:00Z');
    const outbox = mailers([outboxMailer({ db: service.db, clock, say: (line) => said.push(line) })]);
    for (let n = 0; n < 53; n += 1) {
      clock.advance(1000);
      await outbox.send(signInMail({ to: 'camille@exemple.test', code: String(100_000 + n) }));
    }
    const kept = await listOutbox(service.db);
    expect(kept).toHaveLength(50);
    expect(kept[0]?.text).toContain('100052');
    expect(kept.at(-1)?.text).toContain('100003');
    expect(said.at(-1)).toContain('100052');
  });
});
