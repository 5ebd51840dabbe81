import { doc, frame, form, fill, say, go, type FramePage } from './parts.ts'

const gone = `parent.postMessage('gone', '*')`
const removing = (src: string) =>
  `<p>Page</p>${frame(src, 'id="box" width="400" height="200"')}<script>onmessage = () => box.remove()</script>`
/** Frames that leave, move or are replaced while something is done in them. */
export const leaving: Record<string, FramePage> = {
  'a frame that leaves when its field is focused': {
    page: ({ pay }) => removing(doc(pay, `<label>Town <input onfocus="${gone}"></label>`)),
    acts: [{ type: 'fill', target: 'Town', value: 'Kiel' }],
    says: /The frame left the page while this was done in it|the field has left the page since/,
    ends: 'either way',
    shows: 'Page',
  },
  'a frame of the page’s origin that leaves when it is clicked': {
    page: ({ shop }) => removing(doc(shop, say('onclick', gone))),
    acts: go,
    says: '- iframe',
  },
  'a frame that later acts make leave': {
    page: ({ pay }) =>
      `${removing(doc(pay, say('onclick', 'this.textContent = 1')))}<button onclick="box.remove()">Drop</button><p id="late"></p><button onclick="setTimeout(() => late.textContent = 'Still here', 900)">Then</button>`,
    acts: [
      ...go,
      { type: 'click', target: 'Drop' },
      { type: 'click', target: 'Then' },
      { type: 'wait', text: 'Still here' },
    ],
    says: 'Still here',
    shows: 'Still here',
  },
  'a frame that is moved in the page, and loads again': {
    page: ({ pay }) =>
      `<button onclick="right.append(box)">Move</button>${frame(doc(pay, form), 'id="box" width="400" height="200"')}<div id="right"></div>`,
    acts: [{ type: 'click', target: 'Move' }, { type: 'wait', text: 'Town' }, ...fill],
    says: 'To Kiel',
  },
  'a frame that goes from the page’s origin to another': {
    page: ({ shop, pay }) => frame(doc(shop, `<a href="${doc(pay, form).replaceAll('"', '&quot;')}">Next</a>`)),
    acts: [{ type: 'click', target: 'Next' }, ...fill],
    says: 'To Kiel',
  },
  'a dialog that closes with the frame in it': {
    page: ({ pay }) =>
      `<p>Page</p><dialog id="box">${frame(doc(pay, say('onclick', gone)))}</dialog><script>box.showModal(); onmessage = () => box.close()</script>`,
    acts: go,
    says: '+ Page',
    hides: '"Go"',
  },
}
