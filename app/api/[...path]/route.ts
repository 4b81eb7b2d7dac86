import { ServiceError } from '#lib/core/errors.ts';
import { publicRoute } from '#lib/http/middleware/public-route.ts';

const notFound = publicRoute(
  {
    id: 'notFound',
    summary: 'Une adresse qui n’existe pas',
    tag: 'Divers',
    dialect: 'brain',
    answers: {},
    errors: ['not_found'],
  },
  async () => {
    throw new ServiceError('not_found', { message: 'Cette adresse n’existe pas dans l’API.' });
  },
);

export {
  notFound as DELETE,
  notFound as GET,
  notFound as OPTIONS,
  notFound as PATCH,
  notFound as POST,
  notFound as PUT,
};
