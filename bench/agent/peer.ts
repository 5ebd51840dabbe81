import { type Hand, partOf } from './hand.ts'

/** `role` in the snapshot, if it is not a field type of the tool. */
export type Field = {
  name: string
  type: 'textbox' | 'checkbox' | 'radio' | 'combobox'
  role?: string
  value: string
}

/**
 * The tools of @playwright/mcp, with refs as targets. Answers name a file with the snapshot; `snapshot` returns it
 * directly.
 */
export type Peer = {
  navigate(path: string): Promise<string>
  snapshot(): Promise<string>
  find(text: string): Promise<string>
  click(what: string): Promise<string>
  /** Types, and presses Enter. */
  submit(what: string, text: string): Promise<string>
  fillForm(fields: readonly Field[]): Promise<string>
  press(key: string): Promise<string>
  /** Seconds. */
  wait(time: number): Promise<string>
  selectTab(index: number): Promise<string>
}

export function createPeer(hand: Hand, origin: string): Peer {
  /** Ref of the line that contains the text, in the last snapshot. */
  const refOf = (what: string): string => {
    const lines = hand.lastWith('[ref=').split('\n')
    return partOf(lines.find((line) => line.includes(what)) ?? '', /\[ref=(\w+)\]/)
  }
  const click = (what: string) => hand.call('browser_click', { element: what, target: refOf(what) })
  return {
    navigate: (path) => hand.call('browser_navigate', { url: origin + path }),
    snapshot: () => hand.call('browser_snapshot', {}),
    find: (text) => hand.call('browser_find', { text }),
    click,
    submit: (what, text) => hand.call('browser_type', { element: what, target: refOf(what), text, submit: true }),
    fillForm: (fields) =>
      hand.call('browser_fill_form', {
        fields: fields.map(({ role, ...field }) => ({
          ...field,
          target: refOf(`${role ?? field.type} "${field.name}`),
        })),
      }),
    press: (key) => hand.call('browser_press_key', { key }),
    wait: (time) => hand.call('browser_wait_for', { time }),
    selectTab: (index) => hand.call('browser_tabs', { action: 'select', index }),
  }
}

/** Result of code. */
export async function runCode(hand: Hand, code: string): Promise<string> {
  const answer = await hand.call('browser_run_code_unsafe', { code: `async (page) => { ${code} }` })
  const result = partOf(answer, /### Result\n([\s\S]*?)(?:\n### |$)/)
  return result.startsWith('"') ? (JSON.parse(result) as string) : result
}
