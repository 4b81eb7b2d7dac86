import { ERROR_CATALOG, type ErrorCode } from '#lib/core/errors.ts';
import { catalogMessage } from '#lib/messages/fr.ts';
import { FAILURE_SENTENCES } from '#lib/messages/studio.ts';
import type { FailureCode } from '#lib/studio/generation/failure-codes.ts';
import { type DocPage, type DocSection, fence, table, text } from '../writing/page.ts';
import { ERROR_GUIDES } from './error-guides.ts';

const answered = Object.keys(ERROR_CATALOG) as ErrorCode[];
const failures = Object.keys(FAILURE_SENTENCES) as FailureCode[];
const isAnswered = (code: ErrorCode | FailureCode): code is ErrorCode => code in ERROR_CATALOG;

export const ERRORS: DocPage = {
  slug: 'erreurs',
  title: 'Erreurs',
  summary: 'Chaque code\u00a0: son statut, ce qu’il veut dire, ce qu’il faut faire.',
  group: 'Référence',
  introduction: () =>
    text(
      'Un refus est une réponse\u00a0: un statut HTTP, un code stable pour les programmes, une phrase pour les gens.',
      fence(
        'json Refus',
        '{\n  "error": {\n    "code": "not_found",\n    "message": "Introuvable dans ce compte."\n  }\n}',
      ),
      table(
        ['Champ', 'Sens'],
        [
          ['`code`', 'un des codes de cette page\u00a0; traitez un code inconnu d’après son statut'],
          ['`message`', 'la phrase à montrer'],
          ['`detail`', 'une précision pour un programme, quand il y en a une'],
          ['`problems`', 'champ par champ, ce qui ne va pas\u00a0: `field` et `message`'],
          ['`subject`', 'ce dont il s’agit\u00a0: une référence, une génération'],
        ],
      ),
      'L’en-tête `Request-Id` est dans toute réponse\u00a0: citez-le dans toute question. Un assistant reçoit les mêmes codes.',
    ),
  sections: () => [
    { id: 'reponses', title: 'Codes des réponses', level: 2, text: '' },
    ...answered.map(sectionOf),
    {
      id: 'generations',
      title: 'Codes d’une génération',
      level: 2,
      text: text(
        'Une génération qui a échoué garde un `code` et une phrase\u00a0; le montant retenu a été rendu.',
        table(
          ['Code', 'Phrase'],
          failures.map((code) => [
            isAnswered(code) ? `[\`${code}\`](#${code})` : `\`${code}\``,
            FAILURE_SENTENCES[code],
          ]),
        ),
      ),
    },
    ...failures.filter((code) => !isAnswered(code)).map(sectionOf),
  ],
};

function sectionOf(code: ErrorCode | FailureCode): DocSection {
  const { meaning, action } = ERROR_GUIDES[code];
  const sentence = isAnswered(code) ? catalogMessage(code) : FAILURE_SENTENCES[code];
  return {
    id: code,
    title: isAnswered(code) ? `${code} (${ERROR_CATALOG[code].status})` : code,
    level: 3,
    text: text(`> ${sentence}`, meaning, `**Que faire.** ${action}`),
  };
}
