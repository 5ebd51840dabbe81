import type { Documentation } from '../../contracts/documentation.ts'
import { lazyPort, once } from '../../util/lazy.ts'

/** Its pages are read and indexed at the first question. */
export function documentationPort(): Documentation {
  const documentation = once(async () => (await import('../../engine/support/docs/shipped.ts')).openDocumentation())
  return lazyPort<Documentation>(documentation, { find: true })
}
