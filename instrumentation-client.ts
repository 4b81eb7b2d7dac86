import { listenBeforeRouter } from '#app/_cockpit/address/own-pop-state.ts';

listenBeforeRouter();
