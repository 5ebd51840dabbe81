import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { Table, Awaited } from '../parts.ts'
import { type CataloguedOperation, fieldsOf } from './call-fields.ts'
import { byTask, useCatalogue } from './playground.ts'

/** Every route of the server with its fields, as openapi.json has them for programs. */
export function Api(): VNode {
  const { value, fault } = useCatalogue()
  if (!value) return html`<${Awaited} fault=${fault} />`
  return html`
    <p class="faint">
      For programs: <a href="/openapi.json">openapi.json</a>. Agents use the same operations over MCP.
    </p>
    ${byTask(value.operations).map(
      ([task, those]) =>
        html`<section key=${task}>
          <h2>${task}</h2>
          ${those.map(operationOf)}
        </section>`,
    )}
  `
}

function operationOf({ name, title, about, method, template, schema }: CataloguedOperation): VNode {
  const rows = fieldsOf(schema).map((field) => [
    html`<code>${field.name}</code>`,
    field.isRequired ? 'required' : (JSON.stringify(field.fallback) ?? ''),
    field.about,
  ])
  return html`<details key=${name} class="card">
    <summary><b>${title}</b> <code class="faint">${method} ${template}</code></summary>
    <p>${about} <a href=${`#/playground/${name}`}>Try it</a></p>
    ${
      rows.length > 0 &&
      html`<${Table} label=${`Fields of ${title}`} head=${['Field', 'Default', 'Meaning']} rows=${rows} />`
    }
  </details>`
}
