import { z } from 'zod';
import { env } from '#lib/core/env.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { apiPath } from '#lib/http/middleware/with-credential.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { readJson } from '#lib/http/requests/read-body.ts';
import { validate } from '#lib/http/requests/validate.ts';
import { generationAnswer, idempotencyKeyOf, withDetail } from '#lib/http/responses/generation-answer.ts';
import { configuredProviders, withStudio } from '#lib/http/runtime/studio.ts';
import { isScenario } from '#lib/providers/fixtures/scenarios.ts';
import { DEV_SCENARIOS, withFaults } from '#lib/studio/dev-scenario.ts';
import { generationRequest } from '#lib/studio/request.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

const MAX_BODY = 256 * 1024;
/** Nobody waits two minutes for a provider that is known not to answer. */
const SHORT_BUDGETS = { image: 1_500, vector: 1_500, voice: 1_500, videoStart: 1_500, voiceOrigin: 1_500 };

const envelope = z.looseObject({ scenario: z.enum(DEV_SCENARIOS).default('success') });

/** The whole chain on recorded answers, with a scenario of what goes wrong. Absent in production. */
export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  POST: withMember({
    permission: 'generate',
    async handle(ctx, { request }) {
      if (env().isProduction) throw new ServiceError('not_found');
      const key = idempotencyKeyOf(request);
      try {
        const { scenario, ...rest } = validate(
          envelope,
          await readJson(request, MAX_BODY, 'invalid'),
          'invalid',
        );
        const body = validate(generationRequest, rest, 'invalid');
        const studio = withStudio(ctx, request);
        const providers = configuredProviders(
          isScenario(scenario) ? { scenario } : {},
          scenario.includes('timeout') ? SHORT_BUDGETS : undefined,
        );
        const recorded = { ...studio, studio: { ...studio.studio, providers } };
        const submitted = await submitGeneration(withFaults(recorded, scenario), {
          request: body,
          ...(key ? { idempotencyKey: key } : {}),
        });
        return generationAnswer(submitted, ctx.clock.now());
      } catch (error) {
        throw withDetail(error);
      }
    },
  }),
});
