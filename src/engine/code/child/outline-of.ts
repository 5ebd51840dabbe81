import type { Locator, Page } from 'playwright-core'

/** Element of Playwright's snapshot for agents. */
type SnapshotElement = {
  role: string
  name?: string
  text?: string
  ref?: string
  cursor?: string
  level?: number
  checked?: boolean | 'mixed'
  disabled?: boolean
  expanded?: boolean
  selected?: boolean
  children?: readonly (SnapshotElement | string)[]
}
const interactive =
  /^(?:button|link|textbox|searchbox|checkbox|radio|combobox|listbox|menuitem|menuitemcheckbox|menuitemradio|option|slider|spinbutton|switch|tab|treeitem)$/
const isUsable = ({ role, ref, cursor }: SnapshotElement) =>
  ref !== undefined && (interactive.test(role) || (cursor === 'pointer' && role === 'generic'))
/** Roles whose name contains their content, so their children are omitted. */
const namedByContent = /^(?:button|link|option|combobox|listbox)$/

type OutlineOptions = {
  isInteractive: boolean
  isCompact: boolean
  maxDepth: number
  secrets: ReadonlySet<string>
}

/** Returns an element as text in the format of agent-browser, and Playwright's refs of its usable elements. */
export async function outlineOf(root: Locator, options: OutlineOptions): Promise<{ text: string; refs: string[] }> {
  const { isInteractive, isCompact, maxDepth, secrets } = options
  const refs: string[] = []
  const lines: string[] = []

  function add(each: SnapshotElement | string, depth: number): void {
    const item = typeof each === 'string' ? { role: 'text', text: each } : each
    if (depth > maxDepth) return
    const canUse = isUsable(item)
    const isListed = canUse || (!isInteractive && !(isCompact && item.role === 'generic'))
    if (isListed) {
      const indent = isInteractive ? '' : '  '.repeat(depth)
      lines.push(`${indent}- ${lineOf(item, canUse ? refs.push(item.ref!) : 0, secrets)}`)
    }
    if (isListed && namedByContent.test(item.role)) return
    for (const child of item.children ?? []) add(child, isListed ? depth + 1 : depth)
  }

  const elements = (await root.ariaSnapshotJSON({ mode: 'ai' })) as readonly (SnapshotElement | string)[]
  // The body itself contains no information.
  const isBody = (each: SnapshotElement | string) => typeof each !== 'string' && each.role === 'generic'
  for (const each of elements) {
    if (isBody(each)) (each as SnapshotElement).children?.forEach((child) => add(child, 0))
    else add(each, 0)
  }
  return { text: lines.join('\n'), refs }
}

function lineOf(element: SnapshotElement, number: number, secrets: ReadonlySet<string>): string {
  const name = element.name ? ` ${JSON.stringify(shorten(element.name))}` : ''
  const states = statesOf(element)
  if (number > 0) states.push(`ref=e${number}`)
  const value = valueOf(element)
  const isSecret = element.role === 'textbox' && secrets.has(value)
  return `${element.role}${name}${states.length > 0 ? ` [${states.join(', ')}]` : ''}${value === '' || isSecret ? '' : `: ${shorten(value)}`}`
}

const statesOf = ({ level, checked, disabled, expanded }: SnapshotElement): string[] =>
  [
    level === undefined ? '' : `level=${level}`,
    checked ? 'checked' : '',
    disabled ? 'disabled' : '',
    expanded === undefined ? '' : `expanded=${expanded}`,
  ].filter((state) => state !== '')

function valueOf({ role, text = '', children = [] }: SnapshotElement): string {
  const chosen = children.find((child) => typeof child !== 'string' && child.selected) as SnapshotElement | undefined
  return role === 'combobox' ? (chosen?.name ?? text) : text
}

const shorten = (long: string) => (long.length > 160 ? `${long.slice(0, 159)}…` : long)

/** Returns the values of password fields, which the snapshot contains like those of other text fields. */
export async function passwordsOf(page: Page): Promise<Set<string>> {
  const all = page
    .frames()
    .map((frame) =>
      frame
        .locator('input[type=password]')
        .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value)),
    )
  const values = (await Promise.allSettled(all)).flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  return new Set(values.map((value) => value.replace(/\s+/g, ' ').trim()))
}
