import { doc, frame, form, filled, say, go, type FramePage } from './parts.ts'

const lists = `<label>Size <select><option>S</option><option>L</option></select></label>
  <label><input type="checkbox" onchange="out.textContent = 'sent ' + this.checked"> Send it</label><p id="out"></p>`

/** Frames of other origins, and what they do to the page and the browser around them. */
export const foreign: Record<string, FramePage> = {
  'two forms of one site': {
    page: ({ pay }) => frame(doc(pay, form)) + frame(doc(pay, form.replace('Town', 'Port'))),
    acts: [
      { type: 'fill', target: 'Port', value: 'Oslo' },
      { type: 'fill', target: 'Town', value: 'Kiel' },
      { type: 'press', target: 'Town', key: 'Tab' },
      { type: 'press', key: 'Enter' },
    ],
    says: 'To Kiel',
  },
  'a frame that tells something': {
    page: ({ pay }) => frame(doc(pay, say('onclick', `alert('Tide is low')`))),
    acts: go,
    says: 'Dialog alert "Tide is low" was accepted.',
  },
  'a frame that opens a window': {
    page: ({ shop, pay }) => frame(doc(pay, say('onclick', `window.open('${shop}/frames/plain')`))),
    acts: go,
    says: 'Of this origin',
  },
  'a frame that sends the page elsewhere': {
    page: ({ shop, pay }) => frame(doc(pay, `<a target="_top" href="${shop}/frames/plain">Go</a>`)),
    acts: go,
    says: 'Of this origin',
  },
  'lists and boxes in a frame of a third site': {
    page: ({ pay, bank }) => frame(doc(bank, frame(doc(pay, lists))), 'width="500" height="350"'),
    acts: [
      { type: 'select', target: 'Size', options: ['L'] },
      { type: 'check', target: 'Send it' },
    ],
    says: '+ sent true',
    shows: /combobox "Size" e\d+ = "L"/,
  },
  'a menu in a frame that opens under the mouse': {
    page: ({ pay }) =>
      frame(
        doc(
          pay,
          `<style>ul { display: none } div:hover ul { display: block }</style><div><b>Ports</b><ul><li><a href="#kiel">Kiel</a></ul></div>`,
        ),
      ),
    acts: [
      { type: 'hover', target: 'Ports' },
      { type: 'click', target: 'link "Kiel"' },
    ],
    says: 'link "Kiel"',
  },
  'what stands in a frame, extracted': {
    page: ({ pay }) => frame(doc(pay, '<p>Freight: <b>12 €</b></p>')),
    acts: [{ type: 'extract', target: 'Freight', as: 'text' }],
    says: 'Freight: 12 €',
  },
  'a frame that never ends loading': {
    page: ({ pay }) => `${frame(`${pay}/frames/endless`)}${form}`,
    ...filled,
  },
}
