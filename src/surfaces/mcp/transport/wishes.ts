import { toAppError } from '../../../kernel/error.ts'
import { isForModels } from '../../../kernel/tool.ts'
import { chosenTools } from '../../../kernel/offer.ts'
import type { Caller, McpOptions } from '../options.ts'
import { type SchemaForm, schemaForms } from '../strict.ts'

/** What a client may wish for by headers; older ones do so when they open their session. */
type Wishes = Pick<Caller, 'tools' | 'schemas'>

const toolsHeader = 'x-gossamer-tools'
const schemasHeader = 'x-gossamer-schemas'

/** Reads them. What is wrong with one comes back as a sentence. */
export function wishReader({ tools, only, sets }: McpOptions): (headers: Headers) => Wishes | { fault: string } {
  const offered = only ?? tools.filter(isForModels).map(({ name }) => name)
  return (headers) => {
    try {
      const schemas = headers.get(schemasHeader)?.trim().toLowerCase()
      if (schemas !== undefined && !isForm(schemas))
        return { fault: `the header ${schemasHeader}: Expected ${schemaForms.join(' or ')}` }
      return { tools: chosenTools(headers.get(toolsHeader) ?? '', offered, sets), ...(schemas && { schemas }) }
    } catch (thrown) {
      return { fault: `the header ${toolsHeader}: ${toAppError(thrown).message}` }
    }
  }
}

const isForm = (word: string): word is SchemaForm => schemaForms.some((form) => form === word)
