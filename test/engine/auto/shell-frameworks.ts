import { analytics, bundle, html, links } from './shape.ts'

const beg = '<noscript>You need to enable JavaScript to run this app.</noscript>'
const root = (id: string, inside = '') => `<div id="${id}">${inside}</div>`

/** What frameworks send when nothing is rendered before it is sent. */
export const frameworkShells: readonly (readonly [name: string, html: string])[] = [
  ['React with Vite', html(`${root('root')}${bundle}`, { head: '<link rel="icon" href="/vite.svg">' })],
  [
    'Create React App',
    html(`${beg}${root('root')}`, {
      head: '<script defer src="/static/js/main.4f3a.js"></script><link href="/static/css/main.css" rel="stylesheet">',
    }),
  ],
  ['React with a loader', html(`${root('root', '<div class="app-loader"><svg></svg><p>Loading…</p></div>')}${bundle}`)],
  ['React with a style in its root', html(`${root('root', '<style>.a{color:red}</style>')}${bundle}${analytics}`)],
  ['React beside a place for portals', html(`${root('root')}${root('modal-root')}${root('portal')}${bundle}`)],
  ['Preact', html(`<div id="app"></div><script type="module" src="/bundle.esm.js"></script>`)],
  ['Vue with Vite', html(`<div id="app"></div>${bundle}`)],
  [
    'Vue CLI',
    html(
      `<noscript><strong>We're sorry but shop doesn't work properly without JavaScript enabled. Please enable it to continue.</strong></noscript><div id="app"></div><script src="/js/app.js"></script>`,
    ),
  ],
  [
    'Vue with its template in the page',
    html(`<div id="app" v-cloak><router-view></router-view></div><script src="/js/vue.js"></script>`),
  ],
  ['Quasar', html(`<div id="q-app"></div>${bundle}`)],
  [
    'Angular',
    html(
      `<app-root></app-root><script src="runtime.js" type="module"></script><script src="main.js" type="module"></script>`,
      { head: '<base href="/">' },
    ),
  ],
  ['Angular with a word', html(`<app-root>Loading...</app-root><script src="main.js" type="module"></script>`)],
  [
    'Angular with a splash',
    html(
      `<my-shop-root><div class="splash-screen"><div class="spinner"></div></div></my-shop-root><script src="main.js" type="module"></script>`,
    ),
  ],
  [
    'AngularJS',
    html(
      `<div ng-app="shop"><div ng-view></div></div><script src="/angular.min.js"></script><script src="/app.js"></script>`,
    ),
  ],
  [
    'Svelte',
    html(`<script type="module" src="/build/bundle.js"></script>`, {
      head: '<link rel="stylesheet" href="/build/bundle.css">',
    }),
  ],
  [
    'SvelteKit without a server',
    html(
      `<div style="display: contents"><script>{__sveltekit_1={base:""};const element=document.currentScript.parentElement;import("/_app/start.js").then((kit)=>kit.start(element))}</script></div>`,
    ),
  ],
  [
    'Nuxt without a server',
    html(`<div id="__nuxt"></div><script>window.__NUXT__={config:{app:{baseURL:"/"}}}</script>${bundle}`),
  ],
  [
    'Nuxt 2 with its loading page',
    html(
      `<div id="__nuxt"><style>#nuxt-loading{position:fixed}</style><div id="nuxt-loading" aria-live="polite" role="status"><div>Loading...</div></div></div><script src="/_nuxt/app.js"></script>`,
    ),
  ],
  [
    'Next on the client only',
    html(
      `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{}},"page":"/","nextExport":true}</script><script src="/_next/static/chunks/main.js"></script>`,
    ),
  ],
  [
    'Next that left rendering to the client',
    html(
      `<!--$!--><template data-dgst="BAILOUT_TO_CLIENT_SIDE_RENDERING"></template><!--/$--><script>(self.__next_f=self.__next_f||[]).push([0])</script><script src="/_next/static/chunks/main-app.js"></script>`,
    ),
  ],
  [
    'Gatsby without a server',
    html(
      `<noscript id="gatsby-noscript">This app works best with JavaScript enabled.</noscript><div id="___gatsby"></div><script src="/app.js"></script>`,
    ),
  ],
  [
    'Gatsby with its wrapper',
    html(
      `<div id="___gatsby"><div style="outline:none" tabindex="-1" id="gatsby-focus-wrapper"></div></div><script src="/app.js"></script>`,
    ),
  ],
  [
    'Ember',
    html(
      `<script src="/assets/vendor.js"></script><script src="/assets/shop.js"></script><div id="ember-basic-dropdown-wormhole"></div>`,
      { head: '<meta name="shop/config/environment" content="%7B%7D">' },
    ),
  ],
  [
    'Blazor',
    html(
      `<div id="app"><svg class="loading-progress"><circle r="40%"></circle></svg><div class="loading-progress-text"></div></div><div id="blazor-error-ui">An unhandled error has occurred. <a href="" class="reload">Reload</a> <a class="dismiss">🗙</a></div><script src="_framework/blazor.webassembly.js"></script>`,
    ),
  ],
  [
    'Blazor in older form',
    html(
      `<app>Loading...</app><div id="blazor-error-ui">An unhandled error has occurred.<a href="" class="reload">Reload</a><a class="dismiss">🗙</a></div><script src="_framework/blazor.webassembly.js"></script>`,
    ),
  ],
  [
    'Flutter',
    html(`<script src="flutter_bootstrap.js" async></script>`, {
      head: '<base href="/"><link rel="manifest" href="manifest.json">',
    }),
  ],
  [
    'Flutter with a picture',
    html(
      `<picture id="splash"><img src="splash/1x.png" alt=""></picture><script src="flutter_bootstrap.js" async></script>`,
    ),
  ],
  [
    'GWT',
    html(
      `<iframe src="javascript:''" id="__gwt_historyFrame" tabindex="-1" style="position:absolute;width:0;height:0;border:0"></iframe><noscript><div style="color: red">Your web browser must have JavaScript enabled in order for this application to display correctly.</div></noscript>`,
      { head: '<script src="shop/shop.nocache.js"></script>' },
    ),
  ],
  [
    'Elm',
    html(
      `<main id="elm"></main><script src="/elm.js"></script><script>Elm.Main.init({node:document.getElementById('elm')})</script>`,
    ),
  ],
  ['Elm in the whole body', html(`<script src="/elm.js"></script><script>var app=Elm.Main.init({flags:{}})</script>`)],
  ['Polymer', html(`<my-app></my-app>${bundle}`, { head: '<script src="/webcomponents-loader.js"></script>' })],
  ['Lit', html(`<shop-app unresolved></shop-app><script type="module" src="/src/shop-app.js"></script>`)],
  [
    'Stencil and Ionic',
    html(`<app-root></app-root>`, {
      head: '<script type="module" src="/build/app.esm.js"></script><script nomodule src="/build/app.js"></script>',
    }),
  ],
  ['Solid', html(`${beg}<div id="root"></div><script src="/src/index.tsx" type="module"></script>`)],
  ['Aurelia', html(`<my-app></my-app><script src="/entry.bundle.js"></script>`)],
  ['Meteor', html(`<script>__meteor_runtime_config__ = {}</script><script src="/meteor.js"></script>`)],
  ['Ext JS', html(`<div class="x-mask x-loading">Loading...</div><script src="/ext-all.js"></script>`)],
  [
    'an app in a frame of links',
    html(
      `<header><a href="/">Acme</a><ul>${links(['Mugs', 'Plates'])}</ul></header><div id="app"></div><footer>© Acme</footer>${bundle}`,
    ),
  ],
]
