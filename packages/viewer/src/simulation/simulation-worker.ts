import { expose } from 'comlink';
import { holdLife } from '../worker-life.ts';
import { SimulationSession } from './simulation-session.ts';

holdLife();
expose(new SimulationSession());
