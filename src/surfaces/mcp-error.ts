import type { CallToolResult } from '@modelcontextprotocol/server'
import type { AppError } from '../core/error.ts'
import { dotted } from '../core/issues.ts'
import type { AnyOperation } from '../core/operation.ts'

const maxDetails = 1000

/** An error as a model can act on it: code and cause, each field at fault, a valid example, the next step. */
export function toErrorResult(error: AppError, operation: AnyOperation, input: unknown): CallToolResult {
  const faults = issuesOf(error.details)
  const lines = [
    `${error.code}: ${error.message}`,
    ...faults.map((fault) => `- ${faultLine(fault, input)}`),
    ...(faults.length > 0 ? [`Example: ${JSON.stringify(operation.example)}`] : detailLines(error)),
    ...(error.hint ? [`Next: ${error.hint}`] : []),
  ]
  return { isError: true, content: [{ type: 'text', text: lines.join('\n') }] }
}

type Fault = { path: string; message: string; code: string }

function issuesOf(details: unknown): Fault[] {
  if (!Array.isArray(details)) return []
  return details.flatMap((issue: Partial<Record<'path' | 'message' | 'code', unknown>> | null) =>
    typeof issue?.message === 'string'
      ? [{ path: pathText(issue.path), message: issue.message, code: String(issue.code ?? 'custom') }]
      : [],
  )
}

function faultLine({ path, message, code }: Fault, input: unknown): string {
  const came = /received/i.test(message) || code === 'unrecognized_keys' ? undefined : kindOf(valueAt(input, path))
  return `${path || 'arguments'}: ${message}${came === undefined ? '' : ` (got ${came})`}`
}

/** What came, without its text: arguments may hold cookies and keys. */
function kindOf(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') return `a string of ${value.length} characters`
  if (Array.isArray(value)) return `an array of ${value.length}`
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

function valueAt(input: unknown, path: string): unknown {
  const keys = path.match(/[^.[\]]+/g) ?? []
  return keys.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined),
    input,
  )
}

const pathText = (path: unknown) => (Array.isArray(path) ? dotted(path as PropertyKey[]) : String(path ?? ''))

function detailLines({ code, details }: AppError): string[] {
  if (details === undefined || code === 'UNKNOWN_ERROR') return []
  return [`Details: ${JSON.stringify(details).slice(0, maxDetails)}`]
}
