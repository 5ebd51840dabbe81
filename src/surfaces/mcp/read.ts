import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceRequest,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'
import type { AppError } from '../../kernel/error.ts'
import { appContents } from './apps.ts'
import { callCtx, known, parsedInput } from './ctx.ts'
import type { McpOptions } from './options.ts'
import { directLine, type Request } from './transport/line.ts'
import { matchResource, type McpResource, toContents } from './resources.ts'

/** Answers resources/read with an App, or with the whole answer of the operation behind the address. */
export async function readResource(
  options: McpOptions,
  resources: readonly McpResource[],
  { params: { uri } }: ReadResourceRequest,
  request: Request,
): Promise<ReadResourceResult> {
  const app = options.apps?.find((offered) => offered.uri === uri)
  if (app) return { contents: appContents(app) }
  const { operation, input, mimeType } = matchResource(resources, uri)
  const ctx = callCtx(options, request, directLine(request))
  try {
    const output = await options.invoke(operation, input, ctx)
    const face = operation.mcp || {}
    if (!face.present) return { contents: [{ uri, mimeType, text: JSON.stringify(output) }] }
    return { contents: toContents(uri, mimeType, face.present(output, parsedInput(operation, input))) }
  } catch (thrown) {
    throw toProtocolError(known(thrown, operation, ctx), uri)
  } finally {
    ctx.stop()
  }
}

function toProtocolError(error: AppError, uri: string): ProtocolError {
  if (error.status === 404 || error.code === 'BAD_REQUEST') return new ResourceNotFoundError(uri)
  const code = error.status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
  return new ProtocolError(code, `${error.code}: ${error.message}`, { uri, code: error.code, hint: error.hint })
}
