import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { JsonSchema } from '../../src/kernel/json-schema.ts'

const root = dirname(dirname(import.meta.dirname))

/** Kinds of schemas that get a name; others are inlined. */
const shaped = new Set(['object', 'union', 'pipe', 'array'])

/** Keeps names apart from the descriptions in zod's own registry: there they would change the program's output. */
class Named extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get(schema: z.core.$ZodType): never {
    return { ...z.globalRegistry.get(schema), ...super.get(schema) } as never
  }
}

/** Converts to JSON Schema; schemas exported by `src/schema` become definitions under their export names. */
export async function namedSchemas(): Promise<(schema: z.ZodType, io: 'input' | 'output') => JsonSchema> {
  const metadata = new Named()
  for (const path of globSync('src/schema/**/*.ts', { cwd: root }).toSorted()) {
    const exported = (await import(join(root, path))) as Record<string, unknown>
    for (const [name, value] of Object.entries(exported))
      if (/^[A-Z]/.test(name) && value instanceof z.ZodType && shaped.has(value.def.type))
        metadata.add(value, { id: name })
  }
  return (schema, io) => z.toJSONSchema(schema, { io, metadata, unrepresentable: 'any' }) as JsonSchema
}
