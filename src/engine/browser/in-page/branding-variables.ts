/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Runs in the page: custom properties of the root and the body whose names tell a role, as they are computed. */
export function styleVariables(maxVariables: number): [name: string, value: string][] {
  const role =
    /(?:^|-)(?:primary|brand|main|secondary|accent|success|positive|warning|warn|caution|error|danger|negative|destructive)(?:-|$)/i
  const found: [string, string][] = []
  for (const element of Document.prototype.querySelectorAll.call(document, ':root,:root>body'))
    for (const [name, values] of element.computedStyleMap()) {
      if (!name.startsWith('--') || !role.test(name)) continue
      const value = Array.from(values)[0]?.toString().trim() ?? ''
      if (value !== '' && value.length <= 80) found.push([name, value])
    }
  return found.slice(0, maxVariables)
}
