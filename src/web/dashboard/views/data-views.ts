import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { isRecord } from '../../../util/json.ts'
import { CodeBox, Outside, Table, shortUrl } from '../parts.ts'

const isScalar = (value: unknown) => !isRecord(value) && !Array.isArray(value)
const maxRows = 200

export function shown(value: unknown): ComponentChildren {
  if (value === null || value === undefined) return html`<i class="faint">none</i>`
  if (typeof value === 'string') return /^https?:/i.test(value) ? html`<${Outside} url=${value} />` : value
  return JSON.stringify(value)
}

/** Data as a table: a row for each field, and for a list a row for each entry. Anything deeper stays JSON. */
export function DataTable({ data }: { data: unknown }): VNode {
  if (Array.isArray(data) && data.length > 0 && data.every(isRecord)) return listTable(data)
  if (!isRecord(data)) return html`<${CodeBox} label="Data" text=${JSON.stringify(data, undefined, 2)} />`
  const fields = Object.entries(data)
  const flat = fields.filter(([, value]) => isScalar(value))
  return html`
    ${flat.length > 0 && html`<${Table} label="Data" head=${['Field', 'Value']} rows=${flat.map(([name, value]) => [name, shown(value)])} />`}
    ${fields
      .filter(([, value]) => !isScalar(value))
      .map(
        ([name, value]) =>
          html`<section>
            <h3>${name}</h3>
            <${DataTable} data=${value} />
          </section>`,
      )}
  `
}

function listTable(entries: readonly Record<string, unknown>[]): VNode {
  const columns = [...new Set(entries.flatMap((each) => Object.keys(each)))]
  const rows = entries.slice(0, maxRows).map((each) => columns.map((name) => shown(each[name])))
  return html`<${Table} label="Data" head=${columns} rows=${rows} />`
}

type Found = { url?: string; imageUrl?: string; title?: string; description?: string; snippet?: string; date?: string }

export const Cards = ({ groups }: { groups: readonly [name: string, results: readonly Found[]][] }) =>
  html`${groups.map(
    ([name, results]) =>
      html`<section key=${name} class="found" aria-label=${name}>
        ${results.map(
          ({ url = '', imageUrl, title, description, snippet, date }) =>
            html`<article key=${url} class="found-page">
              <h3><${Outside} url=${imageUrl ?? url}>${title || shortUrl(url)}<//></h3>
              <p class="faint">${shortUrl(url)}${date && ` · ${date}`}</p>
              ${(description ?? snippet) && html`<p>${description ?? snippet}</p>`}
            </article>`,
        )}
      </section>`,
  )}`
