import type { Presentation } from '../core/presentation.ts'
import { presentExecution } from './session.ts'

type Interaction = Parameters<typeof presentExecution>[0] & { interactiveLiveViewUrl?: string | undefined }

/** What code did behind a scrape, and where a person may take part. */
export function presentInteraction(interaction: Interaction, scrapeId: string): Presentation {
  const { interactiveLiveViewUrl: url } = interaction
  const { parts, ...rest } = presentExecution(interaction, `the page of scrape ${scrapeId}`)
  return {
    parts: [...parts, ...(url ? [{ kind: 'text' as const, text: `A person can take part at ${url}` }] : [])],
    ...rest,
  }
}
