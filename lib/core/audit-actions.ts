import type {
  AssetState,
  ClosedBy,
  MemberRole,
  MemberStatus,
  MemorySource,
  PillarRole,
  SpaceTemplate,
  UploadVia,
} from '#lib/db/generated/tables.ts';

type SharedTarget = { kind: 'file'; assetId: string } | { kind: 'space'; spaceId: string };
/** Spaces granted, each with its access; null: all. */
type NamedSpaces = readonly { id: string; name: string; access: 'read' | 'write' }[] | null;
type Place = { pillar: PillarRole; parentId: string | null };
type CostDetail = { costMicros: string; gatewayGenerationId?: string };

/** Why files were deleted, or could not be, and which ones: identifiers and store addresses. */
type FilesDetail = {
  by?: string;
  reason?: string;
  folder?: string;
  assetIds?: readonly string[];
  pathname?: string;
  pathnames?: readonly string[];
};

/** Why something left the bin for good: its 30 days were over, a founder asked, or what it showed was erased. */
type ErasedDetail = { reason: 'expired' | 'asked' | 'file' };

type Action<Subject extends string | undefined, Data = undefined> = { subject: Subject; data: Data };

/**
 * Every action of the audit trail: what it is about, and its detail (identifiers, counts and reasons; never a secret, a prompt or
 * a file's content). An action is added here; the compiler then asks for its words in app/_cockpit/audit-words.ts.
 */
type AuditActions = {
  'account.created': Action<'account', { founderId: string }>;
  'account.allowance_set': Action<'account', { capacityCu: number; contractualReads: number | null }>;
  'account.operator_set': Action<'account', { operator: boolean }>;
  'account.ceiling_set': Action<'account', { monthlyCeilingMicros: string | null }>;
  'account.storage_set': Action<'account', { bytes: string | null }>;
  'account.closed': Action<'account', { days: number }>;
  'account.reopened': Action<'account'>;
  'account.erased': Action<'account', { generations: number; files: number }>;
  'account.export_started': Action<'account', { exportId: string }>;
  'account.export_opened': Action<'account', { exportId: string }>;
  'audit.exported': Action<'account', { format: 'csv' | 'json' }>;

  'member.invited': Action<
    'member',
    { role: MemberRole; permissions: readonly string[]; spaces?: NamedSpaces }
  >;
  'member.joined': Action<'member'>;
  'member.updated': Action<
    'member',
    Record<'before' | 'after', { role: MemberRole; permissions: readonly string[]; spaces?: NamedSpaces }>
  >;
  'member.renamed': Action<'member'>;
  'member.suspended': Action<'member', { sessionsEnded: number }>;
  'member.reactivated': Action<'member', { status: MemberStatus }>;
  'member.sign_in_unblocked': Action<'member'>;
  'member.removed': Action<'member', { keysRevoked: number; applicationsRevoked: number }>;
  'member.erased': Action<'member', { keys: number; applications: number; personErased: boolean }>;
  'member.invitation_declined': Action<'member'>;
  'session.opened': Action<'session'>;
  'session.verified': Action<'session', { by: 'code' | 'passkey' }>;
  'session.account_chosen': Action<'session'>;
  'session.revoked': Action<'session'>;
  'session.revoked_all': Action<
    'member',
    {
      count: number;
      keysRevoked?: number;
      applicationsRevoked?: number;
      sharesWithdrawn?: number;
      passkeysRemoved?: number;
      endpointsStopped?: number;
    }
  >;

  'passkey.added': Action<'passkey', { name: string }>;
  'passkey.removed': Action<'passkey', { name: string }>;

  'key.created': Action<
    'developerKey',
    {
      name: string;
      scopes: readonly string[];
      expiresAt: string | null;
      memberId: string;
      monthlyCapMicros?: string | null;
      spaces?: NamedSpaces;
    }
  >;
  'key.cap_set': Action<'developerKey', { name: string; monthlyCapMicros: string }>;
  'key.spaces_set': Action<
    'developerKey',
    { name: string } & Record<'before' | 'after', { spaces: NamedSpaces }>
  >;
  'key.revoked': Action<'developerKey'>;
  'key.rotated': Action<'developerKey', { name: string; successorId: string; previousEndsAt: string }>;
  'webhook.created': Action<'webhookEndpoint', { host: string; events: readonly string[] }>;
  'webhook.changed': Action<'webhookEndpoint', { host: string; events: readonly string[] }>;
  'webhook.secret_rotated': Action<'webhookEndpoint', { host: string; previousEndsAt: string }>;
  'webhook.enabled': Action<'webhookEndpoint', { host: string }>;
  'webhook.disabled': Action<
    'webhookEndpoint',
    { host: string; reason: 'member' | 'gone' | 'failing' | 'backlog' | 'secret' }
  >;
  'webhook.deleted': Action<'webhookEndpoint', { host: string }>;
  'webhook.replayed': Action<'webhookEndpoint', { host: string; deliveries: number }>;
  'oauth.granted': Action<
    'oauthGrant',
    {
      name: string;
      clientId: string;
      scopes: readonly string[];
      resource: string;
      monthlyCapMicros?: string | null;
      spaces?: NamedSpaces;
    }
  >;
  'oauth.spaces_set': Action<
    'oauthGrant',
    { name: string; clientId: string } & Record<'before' | 'after', { spaces: NamedSpaces }>
  >;
  'oauth.cap_set': Action<'oauthGrant', { name: string; clientId: string; monthlyCapMicros: string }>;
  'oauth.revoked': Action<'oauthGrant', { name: string; clientId: string; reason: string }>;

  'share.created': Action<'shareLink', SharedTarget & { expiresAt: string }>;
  'share.withdrawn': Action<'shareLink', SharedTarget & { views: number }>;

  'project.registered': Action<'project', { name: string }>;
  'project.updated': Action<'project', { name: string }>;
  'space.created': Action<'space', { name: string; template: SpaceTemplate }>;
  'space.changed': Action<'space', { name?: string; websiteUrl?: string | null }>;
  'space.archived': Action<'space'>;
  'space.unarchived': Action<'space'>;
  'import.started': Action<
    'space',
    { jobId: string; source: MemorySource; memories: number; refused: number }
  >;
  'import.finished': Action<
    'space',
    { jobId: string } & Record<'created' | 'updated' | 'unchanged' | 'refused', number>
  >;
  'memory.added': Action<'memory', { spaceId: string; pillar: PillarRole; source: MemorySource; cu: number }>;
  'memory.updated': Action<'memory', { spaceId: string; version: number; cu: number }>;
  'memory.restored': Action<'memory', { spaceId: string; version: number; cu: number }>;
  'memory.moved': Action<'memory', { spaceId: string; from: Place; to: Place }>;
  'memory.deleted': Action<'memory', { spaceId: string; deletionId: string; memories: number; cu: number }>;
  'memory.undeleted': Action<'memory', { spaceId: string; deletionId: string; memories: number; cu: number }>;
  'memory.proposed': Action<'proposal', { spaceId: string; memoryId: string | null }>;
  'memory.proposal_accepted': Action<'proposal', { spaceId: string; memoryId: string; edited: boolean }>;
  'memory.proposal_refused': Action<'proposal', { spaceId: string; memoryId: string | null }>;
  'memory.erased': Action<undefined, { memories: number; reason: 'expired' | 'asked'; deletionId?: string }>;

  'generation.submit_pending': Action<'generation', { providerJobId?: string; workflowRunId?: string }>;
  'generation.completed': Action<'generation', { closedBy: ClosedBy; costMicros: string }>;
  'generation.failed': Action<'generation', { closedBy: ClosedBy; code: string }>;
  'generation.reconciled': Action<
    'generation',
    { from: 'settle-line' | 'pending-cost' | 'estimate'; costMicros: string }
  >;
  'generation.settle_pending': Action<'generation', CostDetail>;
  'generation.close_pending': Action<'generation', CostDetail>;
  'generation.charge_missing': Action<'generation', { costMicros: string | null }>;
  'generation.cost_divergence': Action<
    'generation',
    {
      gatewayCostUsd: number;
      formulaCostUsd: number;
      gatewayGenerationId: string | null;
      /** The amount debited in place of an implausible reported cost. */
      debitedUsd?: number;
      /** The reported cost was computed from the provider's count at the published price: no gateway billed it. */
      isCount?: true;
    }
  >;
  'generation.rest_settled': Action<'generation', { debitedUsd: number }>;
  'generation.paid_not_delivered': Action<
    'generation',
    { reason: string; dropped?: readonly string[]; truncated?: boolean; costUsd?: number }
  >;
  'generation.late_look': Action<'generation', { status: string; gatewayGenerationId?: string }>;
  'generation.files_expired': Action<'generation' | 'asset' | undefined, FilesDetail>;
  'generation.files_deleted': Action<'generation', FilesDetail>;
  'generation.files_restored': Action<'generation', FilesDetail>;
  'generation.files_erased': Action<'generation', FilesDetail>;
  'generation.files_discarded': Action<'generation', FilesDetail>;
  'generation.files_delete_failed': Action<'generation' | 'asset' | 'upload' | undefined, FilesDetail>;
  'generation.commented': Action<'generation', { commentId: string; mentions: number }>;
  /** `sentKey`: under which its author sent it. What is sent again under it is not written anew. */
  'generation.comment_deleted': Action<
    'generation',
    { commentId: string; authorId: string; sentKey: string | null }
  >;
  'operations.sweep_requested': Action<undefined, Readonly<Record<string, number>>>;

  'asset.imported': Action<
    'account',
    { files: number; created: number; bytes: number; memberId: string; sha256: string }
  >;
  'asset.approved': Action<'asset', { from: AssetState; generationId: string | null }>;
  'asset.rejected': Action<'asset', { from: AssetState; generationId: string | null }>;
  'asset.delivered': Action<'asset', { from: AssetState; generationId: string | null }>;
  'asset.review_undone': Action<'asset', { from: AssetState; to: AssetState; generationId: string | null }>;
  'avatar.saved': Action<'avatar', { assetId: string }>;
  'avatar.deleted': Action<'avatar', { assetId: string }>;
  'avatar.restored': Action<'avatar', { assetId: string }>;
  'avatar.erased': Action<'avatar', ErasedDetail>;
  'concept.created': Action<'concept', { productId: string }>;
  'concept.deleted': Action<'concept'>;
  'concept.restored': Action<'concept', { files: number }>;
  'concept.erased': Action<'concept', ErasedDetail>;
  'concept.attached': Action<'concept', { assetId: string }>;
  'concept.detached': Action<'concept', { assetId: string }>;
  'lesson.added': Action<'lesson', { assetId: string }>;
  'lesson.deleted': Action<'lesson', { assetId: string }>;
  'rush.kept': Action<'rush', { uploadId: string }>;
  'rush.released': Action<'rush', { uploadId: string | null }>;
  'reference.uploaded': Action<
    'upload',
    {
      via: UploadVia;
      pathname: string;
      contentType: string;
      bytes: number;
      durationMs: number | null;
      memberId: string;
    }
  >;
  'reference.deleted': Action<'upload', { pathname: string }>;
  'reference.restored': Action<'upload', { pathname: string }>;
  'reference.erased': Action<'upload', ErasedDetail & { pathname: string }>;
  'reference.expired': Action<'upload', { pathname: string }>;
  'product.proposed': Action<'product', { name: string; isNew: boolean; fields: readonly string[] }>;
  'product.blobs_purged': Action<'product', Readonly<Record<string, string | number | boolean | null>>>;

  'ledger.granted': Action<'member', { lineId: string; amountMicros: string }>;
  'ledger.account_granted': Action<'account', { lineId: string; amountMicros: string }>;
  'ledger.account_taken_back': Action<'account', { lineId: string; amountMicros: string }>;
  'ledger.credit_requested': Action<'account'>;
  'ledger.caps_set': Action<
    'member',
    { perGenerationCapMicros?: string | null; monthlyCapMicros?: string | null }
  >;
};

export type AuditAction = keyof AuditActions;

/** The first part of an action: `member` of `member.joined`. */
export type AuditFamily = AuditAction extends infer A
  ? A extends `${infer Family}.${string}`
    ? Family
    : never
  : never;

export type AuditDetail<A extends AuditAction> = AuditActions[A]['data'];

type Subject<Type> = Type extends string ? { subject: { type: Type; id: string } } : { subject?: undefined };
type Detail<Data> = undefined extends Data ? { data?: undefined } : { data: Data };

/** One entry to write. Without an account: an event that belongs to no account. */
export type AuditEvent<A extends AuditAction = AuditAction> = {
  [One in A]: { action: One; accountId: string | null } & Subject<AuditActions[One]['subject']> &
    Detail<AuditActions[One]['data']>;
}[A];

/** An entry whose detail is completed by the statement that writes it, with what only the database knows. */
export type AuditDraft = {
  [One in AuditAction]: { action: One; accountId: string | null } & Subject<AuditActions[One]['subject']> &
    (undefined extends AuditActions[One]['data']
      ? { data?: undefined }
      : { data: Partial<AuditActions[One]['data']> });
}[AuditAction];
