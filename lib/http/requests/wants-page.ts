/** Whether whoever asks reads pages: its `Accept` names HTML, as every browser's does, and does not refuse it by `q=0` (RFC 9110, 12.5.1). */
export function wantsPage(request: Request): boolean {
  const ranges = (request.headers.get('accept') ?? '').toLowerCase().split(',');
  return ranges.some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim());
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
