import { fail } from '../../kernel/error.ts'
import type { LinkedFiles } from '../../contracts/fetch.ts'

/** Names in a link are of no use to a browser that saves the file. */
const endings: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }

/** A file that an answer links to. Its id is the permission, as in a link that is passed on. Fails with NOT_FOUND. */
export async function answerFile({ find }: Pick<LinkedFiles, 'find'>, id: string): Promise<Response> {
  const file = await find(id)
  if (!file)
    fail('NOT_FOUND', {
      message: 'The file does not exist or has expired.',
      hint: 'Read the result that linked to it again, or scrape the page again.',
    })
  const { mediaType, bytes } = file
  const name = `page.${endings[mediaType] ?? 'pdf'}`
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': mediaType,
      'content-disposition': `inline; filename="${name}"`,
      'cache-control': 'private, max-age=3600, immutable',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
    },
  })
}
