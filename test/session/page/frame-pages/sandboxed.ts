import { doc, frame, form, filled, go, type FramePage } from './parts.ts'

/** Acts that a sandbox forbids fail, and all others are performed. */
export const sandboxed: Record<string, FramePage> = {
  'a sandbox of the same origin': {
    page: ({ shop }) => frame(doc(shop, form), 'sandbox="allow-scripts allow-same-origin"'),
    ...filled,
  },
  'a sandbox whose scripts do not run': {
    page: ({ shop }) => frame(doc(shop, form), 'sandbox'),
    acts: [{ type: 'fill', target: 'Town', value: 'Kiel' }],
    says: /[~+] +textbox "Town" e\d+ = "Kiel"/,
  },
  'a sandbox that may not send its form': {
    page: ({ shop, pay }) =>
      frame(doc(shop, `<form action="${pay}/frames/plain"><button>Go</button></form>`), 'sandbox="allow-scripts"'),
    acts: go,
    says: 'Nothing on the page changed.',
  },
}
