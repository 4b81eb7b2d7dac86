import { createHash } from 'node:crypto';
import { sketchMissing } from '#lib/brain/likeness/sketch-missing.ts';
import { indexPending } from '#lib/brain/search/index/maintain.ts';
import type { MemberActor, Permission } from '#lib/core/actor.ts';
import { createId, type IdKind } from '#lib/core/ids.ts';
import { giveToAccount } from '#lib/ledger/budget/give-to-account.ts';
import type { TestService } from '#tests/setup/service.ts';
import { makeKey, makeMember, makeSpace, memberActor } from './account.ts';
import { testContext } from './context.ts';
import { giveCredit } from './ledger.ts';
import { makeTokens } from './oauth.ts';

/** Everything that one account can hold: the identifiers of its rows by kind, and its credentials. */
export type PopulatedAccount = {
  accountId: string;
  actor: MemberActor;
  /** One or more identifiers of every kind that a caller could name. */
  ids: Record<string, string[]>;
  pathnames: string[];
  keySecret: string;
  apiToken: string;
  mcpToken: string;
};

/**
 * An account with at least one row in every table that belongs to accounts, the marker in every text that a member or a
 * provider wrote. What the tenancy matrix attacks, and attacks with.
 */
export async function populatedAccount(
  service: TestService,
  options: { marker: string; accountId?: string; permissions?: Permission[]; productId?: string },
): Promise<PopulatedAccount> {
  const { marker } = options;
  const now = new Date();
  const at = { createdAt: now, updatedAt: now };
  const accountId = options.accountId ?? createId('account');
  const { db } = service;
  await db.account.create({
    data: { id: accountId, name: `Compte ${marker}`, capacityCu: 10_000, contractualReads: 1_000_000, ...at },
  });
  const email = `fondatrice.${marker.toLowerCase()}@exemple.test`;
  const person = await db.person.create({ data: { id: createId('person'), email, createdAt: now } });
  const founder = await db.member.create({
    data: {
      id: createId('member'),
      accountId,
      personId: person.id,
      email,
      name: `Fondatrice ${marker}`,
      role: 'FOUNDER',
      status: 'ACTIVE',
      permissions: [],
      ...at,
    },
  });
  const colleague = await makeMember(service, accountId, { role: 'MEMBER', name: `Collègue ${marker}` });
  const actor = memberActor(founder);
  const ctx = testContext(service, actor);
  const owner = { accountId, memberId: founder.id };

  const space = await makeSpace(service, accountId, { name: `Espace ${marker}` });
  const archived = await makeSpace(service, accountId, { name: `Archive ${marker}` });
  await db.space.update({ where: { id: archived.id }, data: { archivedAt: now } });
  const memory = (title: string, more: object = {}) =>
    db.memory.create({
      data: {
        id: createId('memory'),
        accountId,
        spaceId: space.id,
        role: 'KNOWLEDGE',
        kind: 'NOTE',
        title: `${title} ${marker}`,
        body: `Corps ${marker} bougie`,
        source: 'MANUAL',
        sourceRef: `https://${marker.toLowerCase()}.exemple.test/`,
        cu: 1,
        ...at,
        ...more,
      },
    });
  const root = await memory('Racine');
  const child = await memory('Enfant', { parentId: root.id, depth: 1, idempotencyKey: 'idem-shared' });
  const deletionId = createId('deletion');
  const gone = await memory('Supprimée', { deletedAt: now, deletionId });
  await db.space.update({ where: { id: space.id }, data: { cu: 2, memories: 2, version: 5 } });
  await db.account.update({ where: { id: accountId }, data: { usedCu: 2 } });
  const revisions: string[] = [];
  for (const version of [1, 2]) {
    const { id } = await db.memoryRevision.create({
      data: {
        id: createId('revision'),
        accountId,
        memoryId: root.id,
        version,
        change: version === 1 ? 'CREATED' : 'EDITED',
        role: 'KNOWLEDGE',
        kind: 'NOTE',
        title: `Version ${version} ${marker}`,
        body: `Ancien corps ${marker}`,
        actor: `member:${founder.id}`,
        createdAt: now,
      },
    });
    revisions.push(id);
  }
  await db.memory.update({ where: { id: root.id }, data: { version: 2 } });
  // In a segment of the search index, then changed: its place there is dead.
  await indexPending(ctx, { accountId, everything: true });
  await sketchMissing(ctx);
  await db.memory.update({ where: { id: root.id }, data: { updatedAt: new Date(now.getTime() + 1) } });
  await db.readMonth.create({ data: { accountId, month: now.toISOString().slice(0, 7), used: 7 } });
  await db.readDay.create({ data: { accountId, day: now, used: 7 } });
  const project = await db.project.create({
    data: {
      id: createId('project'),
      accountId,
      name: `Projet ${marker}`,
      websiteUrl: 'https://p.exemple.test',
      ...at,
    },
  });
  const job = await db.importJob.create({
    data: {
      id: createId('importJob'),
      ...owner,
      spaceId: space.id,
      label: `Import ${marker}`,
      source: 'UPLOAD',
      state: 'DONE',
      total: 1,
      done: 1,
      refused: [{ path: `${marker}.md`, reason: marker }],
      refusedCount: 1,
      finishedAt: now,
      ...at,
      batches: { create: { position: 0, drafts: [{ title: marker }] } },
    },
  });

  const proposal = await db.memoryProposal.create({
    data: {
      id: createId('proposal'),
      ...owner,
      spaceId: space.id,
      memoryId: root.id,
      baseVersion: 1,
      role: 'KNOWLEDGE',
      title: `Proposition ${marker}`,
      body: `Texte proposé ${marker}`,
      note: marker,
      proposer: `member:${founder.id}`,
      fingerprint: Buffer.from(marker),
      createdAt: now,
      expiresAt: new Date(now.getTime() + 30 * 86_400_000),
    },
  });

  const { secret: keySecret, key } = await makeKey(service, founder);
  await db.developerKey.update({ where: { id: key.id }, data: { name: `Clé ${marker}` } });
  const session = await db.session.create({
    data: {
      id: createId('session'),
      personId: person.id,
      ...owner,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + 86_400_000),
      userAgent: `Navigateur ${marker}`,
      network: '203.0.113.7',
    },
  });
  const code = await db.signInCode.create({
    data: {
      id: createId('signInCode'),
      email,
      codeHash: createHash('sha256').update(marker).digest(),
      createdAt: now,
      expiresAt: new Date(now.getTime() + 600_000),
      attemptsLeft: 5,
    },
  });
  await db.signInFailure.create({ data: { email, failures: 1, updatedAt: now } });
  await db.knownBrowser.create({
    data: { personId: person.id, browserHash: `navigateur-${marker}`, createdAt: now, lastSeenAt: now },
  });
  const passkey = await db.passkey.create({
    data: {
      id: createId('passkey'),
      personId: person.id,
      credentialId: `cle-${marker}`,
      publicKey: Buffer.from(marker),
      counter: 1n,
      transports: ['internal'],
      aaguid: '00000000-0000-0000-0000-000000000000',
      name: `Téléphone ${marker}`,
      createdAt: now,
    },
  });
  const mail = await db.outboxMessage.create({
    data: { id: createId('mail'), recipient: email, subject: marker, text: marker, createdAt: now },
  });

  const admin = { ...ctx, actor: { type: 'admin' } as const };
  await giveToAccount(admin, { accountId, amountMicros: 3_000_000n, note: marker });
  await giveCredit(ctx, founder.id, 50_000_000n);
  await giveCredit(ctx, colleague.id, 1_000_000n, { monthlyCapMicros: 2_000_000n });
  const month = now.toISOString().slice(0, 7);
  await db.spendMonth.create({ data: { accountId, month, spentMicros: 0n } });
  await db.spendAlert.create({
    data: {
      accountId,
      month,
      multiple: 1,
      thresholdMicros: 1n,
      spentMicros: 2n,
      createdAt: now,
      mailedAt: now,
    },
  });
  const wallets = await db.wallet.findMany({ where: { accountId }, select: { id: true } });
  const lines = await db.ledgerLine.findMany({ where: { accountId }, select: { id: true } });

  const productId = options.productId ?? 'libre';
  const consent = await db.consent.create({
    data: {
      id: createId('consent'),
      ...owner,
      voiceId: 'voice',
      personName: `Personne ${marker}`,
      signedAt: now,
      createdAt: now,
    },
  });
  const generation = (more: object) => {
    const id = createId('generation');
    return db.generation.create({
      data: {
        id,
        ...owner,
        productId,
        kind: 'IMAGE',
        assetType: 'IMAGE',
        state: 'COMPLETED',
        params: { prompt: `Consigne ${marker}`, brief: `Demande ${marker}`, case: marker },
        references: {},
        searchText: marker.toLowerCase(),
        artifacts: [{ pathname: `generations/${id}/${marker}.png`, contentType: 'image/png', bytes: 3 }],
        createdAt: now,
        deadlineAt: new Date(now.getTime() + 3_600_000),
        dueAt: new Date(now.getTime() + 3_600_000),
        updatedAt: now,
        requestId: 'req_populated',
        consentId: consent.id,
        ...more,
      },
    });
  };
  const done = await generation({ closedAt: now, costMicros: 1n, idempotencyKey: 'idem-shared' });
  const failed = await generation({
    kind: 'RENDER',
    assetType: 'VIDEO',
    state: 'FAILED',
    code: 'quota',
    message: `Phrase ${marker}`,
    errorMessage: `Détail ${marker}`,
    closedAt: now,
  });
  const running = await generation({
    kind: 'VIDEO',
    assetType: 'VIDEO',
    state: 'SUBMITTED',
    providerJobId: `job-${marker}`,
    providerWebhookSecret: `secret-${marker}`,
    artifacts: [],
  });
  const voice = await generation({
    kind: 'VOICE',
    assetType: 'AUDIO',
    closedAt: now,
    params: { brief: marker, alignment: [0, 500] },
  });

  const savedFilter = await db.savedFilter.create({
    data: { id: createId('savedFilter'), ...owner, name: `Filtre ${marker}`, query: `q=${marker}`, ...at },
  });
  const comment = await db.generationComment.create({
    data: {
      id: createId('comment'),
      ...owner,
      generationId: done.id,
      text: `Avis ${marker}`,
      createdAt: now,
      mentions: {
        create: { id: createId('mention'), accountId, memberId: colleague.id, createdAt: now },
      },
    },
  });

  const asset = (more: object) => {
    const id = createId('asset');
    return db.asset.create({
      data: {
        id,
        ...owner,
        productId,
        generationId: done.id,
        type: 'IMAGE',
        pathname: `generations/${done.id}/${id}-${marker}.png`,
        contentType: 'image/png',
        bytes: 3n,
        etag: 'e',
        ...at,
        ...more,
      },
    });
  };
  // A voice whose file is there: what a lipsync asks for before anything else.
  const spoken = `generations/${voice.id}/${marker}.png`;
  await asset({ type: 'AUDIO', pathname: spoken, generationId: voice.id });
  const concept = await db.concept.create({
    data: { id: createId('concept'), ...owner, productId, name: `Idée ${marker}`, note: marker, ...at },
  });
  const approved = await asset({
    state: 'APPROVED',
    conceptId: concept.id,
    reviewedBy: founder.id,
    reviewedAt: now,
  });
  const fresh = await asset({ state: 'GENERATED' });
  const avatar = await db.avatar.create({
    data: {
      id: createId('avatar'),
      ...owner,
      productId,
      assetId: approved.id,
      name: `Visage ${marker}`,
      pathname: approved.pathname,
      createdAt: now,
    },
  });
  const lesson = await db.lesson.create({
    data: {
      id: createId('lesson'),
      ...owner,
      productId,
      assetId: approved.id,
      text: `Leçon ${marker}`,
      createdAt: now,
    },
  });
  const uploadId = createId('upload');
  const upload = await db.upload.create({
    data: {
      id: uploadId,
      ...owner,
      productId,
      kind: 'RUSH',
      pathname: `references/${productId}/${accountId}/${uploadId}-${marker}.mp4`,
      contentType: 'video/mp4',
      bytes: 3n,
      durationMs: 4_000,
      via: 'client',
      etag: 'e',
      createdAt: now,
      touchedAt: now,
    },
  });
  const rush = await db.captureRush.create({
    data: {
      id: createId('rush'),
      ...owner,
      productId,
      uploadId: upload.id,
      title: `Rush ${marker}`,
      pathname: upload.pathname,
      contentType: 'video/mp4',
      bytes: 3n,
      createdAt: now,
    },
  });

  await db.storageQuota.create({ data: { accountId, bytes: 100_000_000_000n, updatedAt: now } });
  await db.storageHold.create({
    data: {
      id: createId('storageHold'),
      accountId,
      memberId: founder.id,
      bytes: 3n,
      createdAt: now,
      stem: `references/libre/${accountId}/${marker}`,
      expiresAt: new Date(now.getTime() + 900_000),
    },
  });

  const accountExport = await db.accountExport.create({
    data: {
      id: createId('accountExport'),
      accountId,
      memberId: founder.id,
      state: 'READY',
      cursor: {},
      total: 1,
      done: 1,
      parts: 1,
      bytes: 3n,
      entries: 1,
      expiresAt: new Date(now.getTime() + 86_400_000),
      ...at,
      pieces: { create: { position: 0, accountId, bytes: 3n, directory: Buffer.from(marker) } },
    },
  });

  const endpoint = await db.webhookEndpoint.create({
    data: {
      id: createId('webhookEndpoint'),
      accountId,
      createdById: founder.id,
      ...at,
      url: `https://${marker.toLowerCase()}.exemple.test/evenements`,
      events: ['memory.added'],
      secret: Buffer.from(`scelle-${marker}`),
    },
  });
  const delivery = await db.webhookDelivery.create({
    data: {
      id: createId('webhookDelivery'),
      accountId,
      endpointId: endpoint.id,
      type: 'memory.added',
      subjectId: root.id,
      data: { memoryId: root.id, spaceId: space.id },
      state: 'FAILED',
      at: now,
      dueAt: now,
      endsAt: now,
      attempts: 1,
      closedAt: now,
      lastStatus: 500,
    },
  });
  const share = await db.shareLink.create({
    data: {
      id: createId('shareLink'),
      accountId,
      createdById: founder.id,
      createdAt: now,
      tokenHash: createHash('sha256').update(`partage ${marker}`).digest(),
      spaceId: space.id,
      expiresAt: new Date(now.getTime() + 86_400_000),
    },
  });
  await db.webhookThreshold.create({ data: { accountId, level: 'reads', month, threshold: 80, at: now } });

  const api = await makeTokens(service, founder, { resource: '/api/v1' });
  const mcp = await makeTokens(service, founder, {
    resource: '/api/mcp',
    scopes: ['brain:read', 'brain:write', 'brain:propose', 'studio:read', 'studio:generate'],
  });
  const grants = await db.oAuthGrant.findMany({
    where: { accountId },
    include: { codes: true, tokens: true },
  });
  const audits = await db.auditEntry.findMany({ where: { accountId }, select: { id: true }, take: 2 });

  const ids: Record<string, string[]> = {
    account: [accountId],
    member: [founder.id, colleague.id],
    space: [space.id, archived.id],
    memory: [root.id, child.id, gone.id],
    deletion: [deletionId],
    revision: revisions.slice(0, 1),
    project: [project.id],
    importJob: [job.id],
    proposal: [proposal.id],
    developerKey: [key.id],
    session: [session.id],
    signInCode: [code.id],
    mail: [mail.id],
    passkey: [passkey.id],
    wallet: wallets.slice(0, 1).map(({ id }) => id),
    ledgerLine: lines.slice(0, 1).map(({ id }) => id),
    generation: [done.id, failed.id, running.id, voice.id],
    savedFilter: [savedFilter.id],
    comment: [comment.id],
    asset: [approved.id, fresh.id],
    avatar: [avatar.id],
    concept: [concept.id],
    lesson: [lesson.id],
    upload: [upload.id],
    rush: [rush.id],
    consent: [consent.id],
    accountExport: [accountExport.id],
    webhookEndpoint: [endpoint.id],
    webhookDelivery: [delivery.id],
    shareLink: [share.id],
    oauthGrant: grants.slice(0, 1).map(({ id }) => id),
    oauthCode: grants.flatMap(({ codes }) => codes.map(({ id }) => id)).slice(0, 1),
    oauthToken: grants.flatMap(({ tokens }) => tokens.map(({ id }) => id)).slice(0, 1),
    audit: audits.slice(0, 1).map(({ id }) => id),
  } satisfies Partial<Record<IdKind, string[]>>;
  return {
    accountId,
    actor,
    ids,
    pathnames: [approved.pathname, fresh.pathname, upload.pathname, `generations/${done.id}/${marker}.png`],
    keySecret,
    apiToken: api.tokens.access_token,
    mcpToken: mcp.tokens.access_token,
  };
}
