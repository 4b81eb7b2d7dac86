import { z } from 'zod';

const base64url = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*$/);
const credential = {
  id: base64url.min(1).max(1_400),
  rawId: base64url,
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}).default({}),
};

/** What a browser gives back when a passkey was made (`RegistrationResponseJSON`). */
export const madePasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
});
export type MadePasskey = z.output<typeof madePasskey>;

/** What a browser gives back when a passkey signed (`AuthenticationResponseJSON`). */
export const usedPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
});
export type UsedPasskey = z.output<typeof usedPasskey>;
