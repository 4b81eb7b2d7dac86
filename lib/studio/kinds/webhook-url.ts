/** Where the provider of a video or a lipsync says that its job ended. */
export function videoWebhookUrl(publicUrl: string, row: { id: string }): string {
  return `${publicUrl}/api/webhooks/video/${row.id}`;
}
