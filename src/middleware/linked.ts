import type { Ctx } from '../kernel/ctx.ts'
import type { Policy } from '../kernel/invoke.ts'
import { type Link, linkedFilePath, type LinkedFiles } from '../kernel/linked-file.ts'
import type { AnyOperation } from '../kernel/operation.ts'

type Keeps = Pick<LinkedFiles, 'keep'>

/**
 * Answers pictures and PDFs as links to the server that was called. For surfaces whose readers fetch what they want to
 * see; it stands outermost, so that what is recorded keeps the files themselves.
 */
export const linked =
  (files: Keeps): Policy =>
  (next) =>
  async (operation, input, ctx) => {
    const output = await next(operation, input, ctx)
    const link = linkOf(files, ctx)
    const own = (await relinked(operation, output, input, link)) as { job?: object }
    if (!operation.follow || !own.job) return own
    return { ...own, job: await relinked(operation.follow.operation, own.job, output, link) }
  }

async function relinked(operation: AnyOperation, output: object, input: object, link: Link): Promise<object> {
  // A remote service may answer otherwise than the contract says.
  if (!operation.withLinks || !operation.output.safeParse(output).success) return output
  const parsed = operation.input.safeParse(input)
  return (await operation.withLinks(output, link, parsed.success ? parsed.data : input)) as object
}

/** Nothing else is served from our address: a type that a browser would run is none of them. */
const ourFile = /^data:(image\/(?:png|jpeg|webp)|application\/pdf);base64,/

const linkOf =
  (files: Keeps, { team, baseUrl, log }: Ctx): Link =>
  async (dataUrl, until) => {
    const [head, mediaType] = ourFile.exec(dataUrl) ?? []
    if (head === undefined || mediaType === undefined) return dataUrl
    try {
      const bytes = Buffer.from(dataUrl.slice(head.length), 'base64')
      const id = await files.keep({ teamId: team.id, mediaType, bytes, until })
      return `${baseUrl}${linkedFilePath(id)}`
    } catch (cause) {
      // The file itself answers as well, only longer.
      log.warn('a picture could not be kept for a link', { cause })
      return dataUrl
    }
  }
