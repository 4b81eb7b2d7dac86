import type { CodeSample } from '#app/_ui/data/code-block.tsx';

/** A first request in three languages, ready to paste. */
export function quickStart(origin: string, key: string): CodeSample[] {
  const url = `${origin}/api/v1/spaces`;
  return [
    { label: 'curl', code: `curl -H "Authorization: Bearer ${key}" \\\n  ${url}` },
    {
      label: 'JavaScript',
      code: [
        `const answer = await fetch('${url}', {`,
        `  headers: { Authorization: 'Bearer ${key}' },`,
        '});',
        'if (!answer.ok) throw new Error(await answer.text());',
        'const { data: spaces } = await answer.json();',
        'console.log(spaces);',
      ].join('\n'),
    },
    {
      label: 'Python',
      code: [
        'import json, urllib.request',
        '',
        'request = urllib.request.Request(',
        `    "${url}",`,
        `    headers={"Authorization": "Bearer ${key}"},`,
        ')',
        'with urllib.request.urlopen(request) as answer:',
        '    print(json.load(answer)["data"])',
      ].join('\n'),
    },
  ];
}
