import { doc, frame, written, form, filled, go, type FramePage } from './parts.ts'

/** Frames in the process of the page: nested, written by scripts, laid out in all ways. */
export const nested: Record<string, FramePage> = {
  'three frames in one another': {
    page: ({ shop }) => frame(doc(shop, frame(doc(shop, frame(doc(shop, form)))))),
    ...filled,
  },
  'a frame written in place in another': { page: () => written(written(form)), ...filled },
  'a blank frame that a script writes': {
    page: () =>
      `<iframe id="box" width="400" height="200"></iframe><script>box.contentDocument.body.innerHTML = ${JSON.stringify(form)}</script>`,
    ...filled,
  },
  'a frame made of a blob': {
    page: () =>
      `<iframe id="box" width="400" height="200"></iframe><script>box.src = URL.createObjectURL(new Blob([${JSON.stringify(form)}], { type: 'text/html' }))</script>`,
    ...filled,
  },
  'a frame in a shadow root of a frame': {
    page: ({ shop }) =>
      frame(doc(shop, `<div><template shadowrootmode="open">${frame(doc(shop, form), '')}</template></div>`)),
    ...filled,
  },
  'a frame that stays at the edge of the window': {
    page: ({ shop }) =>
      `<div style="height: 3000px"></div>${frame(doc(shop, form), 'style="position: fixed; right: 0; top: 20px"')}`,
    ...filled,
  },
  'a field far down in a frame': {
    page: ({ shop }) => frame(doc(shop, `<div style="height: 2500px"></div>${form}`)),
    ...filled,
  },
  'a frame in a cell of a table': {
    page: ({ shop }) => `<table><tr><th>Form</th></tr><tr><td>${frame(doc(shop, form))}</td></tr></table>`,
    ...filled,
  },
  'a frame that is turned and drawn smaller': {
    page: ({ shop }) => frame(doc(shop, form), 'style="transform: scale(.8) translate(30px, 10px); border: 9px solid"'),
    ...filled,
  },
  'a frame without a size of its own': { page: ({ shop }) => frame(doc(shop, form), 'style="width: 60%"'), ...filled },
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
