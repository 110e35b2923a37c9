/** In place of MuJoCo in a page of one file: it would be five times as large. */
throw new Error('MuJoCo is not in a page of one file: open the robot in the viewer, or choose SAP');
