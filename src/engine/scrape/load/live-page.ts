import { AppError, type ErrorCode, failure } from '../../../kernel/error.ts'
import type { Plan } from '../plan.ts'
import type { LoadedPage } from './loaded-page.ts'

/** Why there is no browser, in the words of what needs one. */
export function explainMissing(error: unknown, { render }: Plan): unknown {
  if (!(error instanceof AppError) || error.code !== 'BROWSER_UNAVAILABLE') return error
  const code = render.actions.length > 0 ? 'SCRAPE_ACTIONS_NOT_SUPPORTED' : 'SCRAPE_BRANDING_NOT_SUPPORTED'
  if (render.actions.length === 0 && !render.wantsBranding) return error
  const { message, hint, details, cause } = error
  return failure(code, { message: `${subjects[code]} ${message}`, ...(hint !== undefined && { hint }), details, cause })
}

const subjects = {
  SCRAPE_ACTIONS_NOT_SUPPORTED: 'Actions need a browser.',
  SCRAPE_BRANDING_NOT_SUPPORTED: 'The format branding needs a browser.',
} satisfies Partial<Record<ErrorCode, string>>

/** Fails where a file came that has no look, or on which nothing can be done. */
export function requirePage(loaded: LoadedPage, { render }: Plan): LoadedPage {
  const { kind, actions } = loaded.content
  if (kind === undefined) return loaded
  const facts = { details: { kind } }
  if (render.actions.length > 0 && !actions)
    throw failure('SCRAPE_ACTIONS_NOT_SUPPORTED', {
      message: 'The URL leads to a file, on which no actions are possible.',
      ...facts,
    })
  if (render.wantsBranding)
    throw failure('SCRAPE_BRANDING_NOT_SUPPORTED', {
      message: 'The URL leads to a file, which has no branding.',
      ...facts,
    })
  return loaded
}
