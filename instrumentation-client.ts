import { listenBeforeRouter } from '#app/_cockpit/own-pop-state.ts';

listenBeforeRouter();
