'use server';
import { z } from 'zod';
import { acceptProposal, refuseProposal } from '#lib/brain/proposals/decide-proposal.ts';
import { MAX_REASON_LENGTH } from '#lib/brain/proposals/proposal-rules.ts';
import { memoryBody, memoryTitle } from '#lib/brain/schemas/memories.ts';
import { MAX_VERSION } from '#lib/brain/schemas/revisions.ts';
import { atMostUnits } from '#lib/core/text/text-length.ts';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';

const proposalId = z.string().min(1).max(64);
const seenVersion = z.coerce.number().int().min(1).max(MAX_VERSION).nullable();

export const accept = memberCall({
  permission: 'brain.write',
  schema: z.object({ proposalId, seenVersion }),
  async run(ctx, input) {
    await acceptProposal(ctx, input);
    return { message: 'Proposition acceptée' };
  },
});

export const acceptEdited = memberAction({
  permission: 'brain.write',
  schema: z.object({
    proposalId,
    seenVersion: z
      .string()
      .regex(/^\d{0,9}$/)
      .transform((text) => (text === '' ? null : Number(text))),
    title: memoryTitle,
    body: memoryBody,
  }),
  async run(ctx, input) {
    await acceptProposal(ctx, input);
    return { message: 'Proposition modifiée et acceptée' };
  },
});

export const refuse = memberAction({
  permission: 'brain.write',
  schema: z.object({
    proposalId,
    reason: z
      .string()
      .refine(...atMostUnits(MAX_REASON_LENGTH))
      .optional(),
  }),
  async run(ctx, { proposalId: id, reason }) {
    await refuseProposal(ctx, { proposalId: id, reason: reason?.trim() || null });
    return { message: 'Proposition refusée' };
  },
});
