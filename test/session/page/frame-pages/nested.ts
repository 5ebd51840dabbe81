import { doc, frame, form, filled, go, type FramePage } from './parts.ts'

/** Frames in the process of the page: nested, written by scripts, laid out in all ways. */
export const nested: Record<string, FramePage> = {
  'three frames in one another': {
    page: ({ shop }) => frame(doc(shop, frame(doc(shop, frame(doc(shop, form)))))),
    ...filled,
  },
  'a blank frame that a script writes': {
    page: () =>
      `<iframe id="box" width="400" height="200"></iframe><script>box.contentDocument.body.innerHTML = ${JSON.stringify(form)}</script>`,
    ...filled,
  },
  'a frame in a shadow root of a frame': {
    page: ({ shop }) =>
      frame(doc(shop, `<div><template shadowrootmode="open">${frame(doc(shop, form), '')}</template></div>`)),
    ...filled,
  },
  'a field far down in a frame': {
    page: ({ shop }) => frame(doc(shop, `<div style="height: 2500px"></div>${form}`)),
    ...filled,
  },
  'a file in a nested frame': {
    page: ({ shop }) =>
      frame(
        doc(
          shop,
          frame(
            doc(
              shop,
              '<input type="file" aria-label="Photo" onchange="out.textContent = this.files[0].name"><p id="out"></p>',
            ),
          ),
        ),
      ),
    acts: [{ type: 'upload', target: 'Photo', files: [{ name: 'gull.txt', base64: 'YQ==' }] }],
    says: '+ gull.txt',
  },
  'a frame that is not shown': {
    page: ({ shop }) => `<p>Page</p>${frame(doc(shop, '<p>Unseen</p>'), 'hidden')}<button>Go</button>`,
    acts: go,
    says: 'Nothing on the page changed.',
    shows: 'Page',
    hides: 'Unseen',
  },
}
