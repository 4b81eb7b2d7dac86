import { expect, test } from 'vitest';
import { type EndedSpan, scrubSpan } from '#lib/http/boot/scrub-spans.ts';

function scrubbed(span: EndedSpan): EndedSpan {
  scrubSpan(span);
  return span;
}

test('queries, paths of files and what follows a host leave a span; methods, routes, identifiers and hosts stay', () => {
  expect(
    scrubbed({
      name: 'fetch GET https://utilisateur:secret@store.exemple/references/acc_1/photo.png?signature=abc',
      attributes: {
        'http.method': 'GET',
        'http.target': '/api/generations?q=marque&cursor=x',
        'http.url': 'https://store.exemple/references/acc_1/photo.png?signature=abc',
        'url.query': 'q=marque',
        'url.path': '/api/files/generations/gen_1/photo.png',
        'http.route': '/api/generations/[id]',
        'next.span_name': 'GET /api/files/generations/gen_1/photo.png?download=1',
        'http.status_code': 200,
      },
    }),
  ).toEqual({
    name: 'fetch GET https://store.exemple',
    attributes: {
      'http.method': 'GET',
      'http.target': '/api/generations',
      'http.url': 'https://store.exemple',
      'url.path': '/api/files/[...pathname]',
      'http.route': '/api/generations/[id]',
      'next.span_name': 'GET /api/files/[...pathname]',
      'http.status_code': 200,
    },
  });
});

test('of an error its type and frames stay; its message, which can quote a value, does not', () => {
  const span = scrubbed({
    name: 'render route (app) /recherche',
    attributes: {},
    status: { code: 2, message: 'duplicate key (titre secret)' },
    events: [
      {
        name: 'exception',
        attributes: {
          'exception.type': 'Error',
          'exception.message': 'duplicate key (titre secret)',
          'exception.stacktrace': 'Error: duplicate key (titre secret)\n    at run (file.js:1:2)',
        },
      },
    ],
  });
  expect(JSON.stringify(span)).not.toContain('secret');
  expect(span.events?.[0]?.attributes).toEqual({
    'exception.type': 'Error',
    'exception.stacktrace': '    at run (file.js:1:2)',
  });
});

test('the token of a share leaves a span: whoever reads the traces could open what it shows', () => {
  const token = 'Zk3vJ0yq8Jt6cS1u4mQm8h2Wb7xNf5aEoRkLpTdYgUi';
  const span = scrubbed({
    name: `GET /partage/${token}`,
    attributes: {
      'http.target': `/partage/${token}/fichier?download=1`,
      'url.path': `/partage/${token}`,
      'http.route': '/partage/[token]/fichier',
    },
  });
  expect(span).toEqual({
    name: 'GET /partage/[token]',
    attributes: {
      'http.target': '/partage/[token]/fichier',
      'url.path': '/partage/[token]',
      'http.route': '/partage/[token]/fichier',
    },
  });
});

test('a message of several lines leaves a span whole, also a line that looks like a frame', () => {
  const message = 'invalid input\nat secret (titre secret)';
  const span = scrubbed({
    name: 'render route (app) /recherche',
    attributes: {},
    events: [
      {
        name: 'exception',
        attributes: {
          'exception.message': message,
          'exception.stacktrace': `Error: ${message}\n    at run (file.js:1:2)`,
        },
      },
    ],
  });
  expect(span.events?.[0]?.attributes).toEqual({ 'exception.stacktrace': '    at run (file.js:1:2)' });
});
