/* Runs a PMML file in weka: Weka MODEL.pmml ROWS.arff CLASSES prints what predict prints,
 * separated by tabs. CLASSES is the number of probabilities after the prediction; 0 if a number is predicted. */
import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.PrintStream;
import weka.classifiers.pmml.consumer.PMMLClassifier;
import weka.core.Instances;
import weka.core.pmml.PMMLFactory;

public class Weka {
  public static void main(String[] args) throws Exception {
    PMMLClassifier model = (PMMLClassifier) PMMLFactory.getPMMLModel(new File(args[0]), null);
    Instances rows = new Instances(new BufferedReader(new FileReader(args[1], java.nio.charset.StandardCharsets.UTF_8)));
    PrintStream out = new PrintStream(System.out, true, "UTF-8");
    int classes = Integer.parseInt(args[2]);

    rows.setClassIndex(rows.numAttributes() - 1);
    model.mapToMiningSchema(rows);
    out.print("prediction");
    for (int c = 0; c < classes; c++)
      out.print("\tp" + c);
    out.println();
    for (int r = 0; r < rows.numInstances(); r++) {
      double[] p = model.distributionForInstance(rows.instance(r));
      int best = 0;

      if (classes == 0) {
        out.println(p[0]);
        continue;
      }
      for (int c = 1; c < classes; c++)
        if (p[c] > p[best])
          best = c;
      out.print(rows.classAttribute().value(best));
      for (int c = 0; c < classes; c++)
        out.print("\t" + p[c]);
      out.println();
    }
  }
}
