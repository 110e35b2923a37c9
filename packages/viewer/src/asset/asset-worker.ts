import { expose } from 'comlink';
import { holdLife } from '../worker-life.ts';
import { AssetSession } from './asset-session.ts';

holdLife();
expose(new AssetSession());
