import type { Ctx } from '../kernel/ctx.ts'
import type { Middleware } from '../kernel/invoke.ts'
import { type Link, linkedFilePath, type LinkedFiles } from '../kernel/linked-file.ts'

type Keeps = Pick<LinkedFiles, 'keep'>

/**
 * Replaces the screenshots and PDFs of an answer by links to the server that was called, for clients that load them
 * themselves. It stands outermost, so that the files themselves are recorded.
 */
export const externalizeMedia =
  (files: Keeps): Middleware =>
  (operation, next) => {
    const { withLinks } = operation
    if (!withLinks) return next
    return async (input, ctx) => {
      const told = { isUnkept: false }
      const output = await next(input, { ...ctx, takesStored: false, keepNothing: () => void (told.isUnkept = true) })
      if (told.isUnkept) return output
      // The answer of a remote service may break the contract.
      if (!operation.output.safeParse(output).success) return output
      const parsed = operation.input.safeParse(input)
      return withLinks(output, linkOf(files, ctx), parsed.success ? parsed.data : input)
    }
  }

/** Nothing else is served from our own origin, least of all a type that a browser would run. */
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
      // The data URL works as well, it is only longer.
      log.warn('a picture could not be kept for a link', { cause })
      return dataUrl
    }
  }
